import './first-script.ts'
import '../../ui/tokens.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { applyTheme } from '../../ui/theme.ts'
import { Soon } from '../shared/page/soon.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { keepInstallEvent } from './install.ts'
import { endOpening } from './opening.ts'
import { loadPage } from './pages.ts'
import { AppRoutes } from './routes.tsx'
import { UpdatePrompt } from './updates.tsx'

applyTheme()
keepInstallEvent()
endOpening()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
void start(root)

/**
 * The document already shows the top of the page, or that it is loading. It stays until all code is here.
 * This is no top-level await: the page's code imports parts of this file's chunk, and would wait for it for ever.
 */
async function start(element: HTMLElement): Promise<void> {
  await runPreloaded()
  await loadPage(location.pathname)
  // As a transition, so that React renders in slices and a slow phone can react to a tap between them.
  startTransition(() =>
    createRoot(element).render(
      <StrictMode>
        <ErrorBoundary>
          {/* Each change of the address is shown at once; the page follows in a transition. */}
          <BrowserRouter useTransitions={false}>
            <AppRoutes />
          </BrowserRouter>
          <Soon>
            <UpdatePrompt />
          </Soon>
        </ErrorBoundary>
      </StrictMode>,
    ),
  )
}

/**
 * Runs the code that the document preloads, file by file. Each runs in a task of its own then, so a slow phone can react to
 * a tap between two of them. The links are in the order of imports (vite.config.ts).
 */
async function runPreloaded(): Promise<void> {
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]'))
    await import(/* @vite-ignore */ href).catch(() => undefined)
}
