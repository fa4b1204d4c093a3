import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { FloatingIcons } from './floating-icons.tsx'
import { HeroCheckFrame, HeroWords, heroGridClass, heroPictureClass, PlaceholderRings } from './hero-words.tsx'
import { loadCallsLater } from './quiet.ts'

const Illustration = lazy(async () => ({ default: (await import('./hero-illustration.tsx')).HeroIllustration }))
/** The running round. It lies on the picture, so nothing moves when it appears. */
const HeroLive = lazy(async () => {
  await loadCallsLater()
  return { default: (await import('./hero-live.tsx')).HeroLive }
})
/** Loaded after the first screen, which shows its frame meanwhile. */
const HeroCheck = lazy(async () => ({ default: (await import('./hero-check.tsx')).HeroCheck }))

export function Hero({ onTrack }: { onTrack: () => void }) {
  const navigate = useNavigate()
  return (
    <section id="home" className="relative isolate">
      <FloatingIcons />
      <div className={heroGridClass}>
        <HeroWords
          onStart={() => navigate('/user/home')}
          onTry={() => navigate('/play/colour')}
          onTrack={onTrack}
          check={
            <Suspense fallback={<HeroCheckFrame />}>
              <HeroCheck />
            </Suspense>
          }
        />
        <div className={heroPictureClass}>
          <Suspense fallback={<Placeholder />}>
            <Illustration />
          </Suspense>
          <Suspense>
            <HeroLive />
          </Suspense>
        </div>
      </div>
    </section>
  )
}

/** The rings of the illustration, pulsing until it has loaded. */
function Placeholder() {
  return (
    <div data-placeholder="" aria-hidden="true" className="size-full animate-pulse">
      <PlaceholderRings />
    </div>
  )
}
