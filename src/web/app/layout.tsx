import { type ReactNode, useCallback, useState } from 'react'
import { Outlet } from 'react-router'
import { cssVariables } from '../../ui/css-variables.ts'
import { useNarrow } from '../../ui/media.ts'
import { NetworkNote } from '../shared/page/network-note.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'
import { Soon } from '../shared/page/soon.tsx'
import { useKeptProof } from '../trust/kept-proof.ts'
import { useDeviceZone } from '../wellness/use-device-zone.ts'
import { BottomNav } from './bottom-nav.tsx'
import { contentClass } from './frame-classes.ts'
import { HaltBanner } from './halt-banner.tsx'
import { Header } from './header.tsx'
import { useHeaderFigures } from './header-figures.ts'
import { InstallPrompt } from './install-prompt.tsx'
import { Sidebar } from './sidebar.tsx'
import { WalletNotice } from './wallet-notice.tsx'

const SIDEBAR_PX = { open: 260, collapsed: 80 }

/** The user area: header and sidebar around the page. On phones the sidebar is a drawer and there is a bottom bar. */
export function Layout() {
  const narrow = useNarrow()
  return (
    <Bars narrow={narrow}>
      <div className="pl-(--sidebar) transition-[padding] duration-200">
        <main id="content" tabIndex={-1} className={contentClass}>
          <NetworkNote />
          <Soon>
            <HaltBanner />
            <WalletNotice />
          </Soon>
          <Outlet />
        </main>
        <SiteFooter className="mx-auto max-w-[1120px] border-line border-t px-4 pt-6 pb-32 sm:px-6 wide:px-8 wide:pb-10" />
      </div>
      {narrow && <BottomNav />}
      <Soon>
        <InstallPrompt />
        <Followers />
      </Soon>
    </Bars>
  )
}

/** What follows the user and the device, whatever page is open. */
function Followers() {
  useKeptProof()
  useDeviceZone()
  return null
}

/** Header and sidebar. What is in them, and whether the sidebar is open, renders nothing else again. */
function Bars({ narrow, children }: { narrow: boolean; children: ReactNode }) {
  const [expanded, setExpanded] = useState(true)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const closeDrawer = useCallback(() => setDrawerOpen(false), [])
  const figures = useHeaderFigures()
  const open = narrow ? drawerOpen : expanded
  const toggle = () => (narrow ? setDrawerOpen(!drawerOpen) : setExpanded(!expanded))
  const width = narrow ? 0 : SIDEBAR_PX[expanded ? 'open' : 'collapsed']
  return (
    <div style={cssVariables({ '--sidebar': `${width}px` })}>
      <a
        href="#content"
        className="sr-only z-[60] rounded-control bg-panel px-5 py-3 font-semibold text-on-panel focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Header figures={figures} sidebarOpen={open} onToggleSidebar={toggle} />
      <Sidebar drawer={narrow} open={open} onClose={closeDrawer} />
      {children}
    </div>
  )
}
