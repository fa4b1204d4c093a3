import '../../ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { applyTheme } from '../../ui/theme.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { keepInstallEvent } from './install.ts'
import { AppRoutes, loadLanding } from './routes.tsx'
import { UpdatePrompt } from './updates.tsx'

applyTheme()
keepInstallEvent()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
// The HTML document already contains the top of the landing page. Keep it visible until the page's code has loaded.
if (root.hasChildNodes()) await loadLanding().catch(() => undefined)
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
      <UpdatePrompt />
    </ErrorBoundary>
  </StrictMode>,
)
