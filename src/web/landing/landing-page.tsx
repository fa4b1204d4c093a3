import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { SiteFooter } from '../shared/page/site-footer.tsx'
import { FloatingMenu } from './floating-menu.tsx'
import { Greeting } from './greeting.tsx'
import { Hero } from './hero.tsx'
import { LandingHeader } from './landing-header.tsx'
import { Remembered } from './remembered.tsx'
import { Statistics } from './statistics.tsx'

/** The sections below the first screen. */
const Rest = lazy(async () => ({ default: (await import('./rest.tsx')).Rest }))

const findFeatures = () => document.getElementById('features')

export function LandingPage() {
  const [isWhole, setWhole] = useState(false)
  const [isTracking, setTracking] = useState(false)
  const [menu, setMenu] = useState<'header' | 'floating'>()
  const openMenu = (name: 'header' | 'floating') => (open: boolean) => setMenu(open ? name : undefined)
  const onWhole = useCallback(() => setWhole(true), [])
  const track = () => {
    const features = findFeatures()
    if (features) features.scrollIntoView()
    else setTracking(true)
  }
  // Track was tapped before its section was there.
  useEffect(() => {
    if (isWhole && isTracking) findFeatures()?.scrollIntoView()
  }, [isWhole, isTracking])
  return (
    <div className="overflow-x-clip">
      <LandingHeader menuOpen={menu === 'header'} onMenu={openMenu('header')} />
      <main tabIndex={-1}>
        <Greeting />
        <Remembered />
        <Hero onTrack={track} />
        <Statistics />
        <Suspense>
          <Rest onWhole={onWhole} />
        </Suspense>
      </main>
      {/* Visible: the placeholders of what is far away stay until a visitor comes near. */}
      {isWhole && <SiteFooter className="visible! mx-auto max-w-[1200px] px-5 pt-10 pb-28 sm:px-8 wide:pb-10" />}
      <FloatingMenu open={menu === 'floating'} onOpen={openMenu('floating')} />
    </div>
  )
}
