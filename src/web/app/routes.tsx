import { memo, type ReactNode, useLayoutEffect, useState, ViewTransition } from 'react'
import { type Location, Navigate, Route, Routes, useLocation } from 'react-router'
import { NetworkStrip } from '../shared/page/network-note.tsx'
import { ComingSoonPage } from './coming-soon-page.tsx'
import { Later } from './later.tsx'
import { useFocusAndScroll, useTitle } from './navigation.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { landing, layout, type Page, providers, publicPages, redirects, userPages } from './pages.ts'
import { RequireUser } from './require-user.tsx'
import { AddressPath, useEarlyLoading, useShownLocation } from './shown-location.ts'

export function AppRoutes() {
  useEarlyLoading()
  const { pathname } = useLocation()
  const shown = useShownLocation()
  useFocusAndScroll(shown)
  const isPublic = !shown.location.pathname.startsWith('/user')
  return (
    <AddressPath value={pathname}>
      {isPublic && <NetworkStrip />}
      <ShownRoutes location={shown.location} />
    </AddressPath>
  )
}

/** Not rendered again when only the address has changed, so that what was tapped can show it at once. */
const ShownRoutes = memo(({ location }: { location: Location }) => (
  <Routes location={location}>
    {Object.entries(redirects).map(([from, to]) => (
      <Route key={from} path={from} element={<Navigate to={to} replace />} />
    ))}
    {route(landing)}
    <Route element={<Later part={providers} />}>
      {publicPages.map(route)}
      <Route
        path="/user"
        element={
          <RequireUser>
            <Later part={layout} />
          </RequireUser>
        }
      >
        {userPages.map(route)}
        <Route path="*" element={framed('Coming soon', <ComingSoonPage />)} />
      </Route>
    </Route>
    <Route path="*" element={framed('Page not found', <NotFoundPage />)} />
  </Routes>
))

const route = (page: Page) => (
  <Route key={page.path} path={page.path} element={framed(page.title, <Later part={page} />)} />
)

const framed = (title: string, content: ReactNode) => (
  <Frame key={title} title={title}>
    {content}
  </Frame>
)

/**
 * The first page is shown without a transition: even one without a visible effect delays it by some frames. It is
 * remembered, because a link to a part of the page also changes the location, and must not mount the page again.
 */
function Frame({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  const { key } = useLocation()
  const [isFirst] = useState(key === 'default')
  return isFirst ? children : <FadingIn>{children}</FadingIn>
}

function FadingIn({ children }: { children: ReactNode }) {
  const [, setMounted] = useState(false)
  // Otherwise React runs effects, and with them a page's reads, only after the page has faded in.
  useLayoutEffect(() => setMounted(true), [])
  return (
    <ViewTransition default="none" enter="auto" exit="auto">
      {children}
    </ViewTransition>
  )
}
