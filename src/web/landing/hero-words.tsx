import type { ReactNode } from 'react'
import { brand } from '../../protocol/brand.ts'
import { Button } from '../../ui/button.tsx'
import { Ring } from '../../ui/ring.tsx'

export const heroGridClass =
  'mx-auto grid max-w-[1200px] items-center gap-8 px-5 pt-6 pb-12 sm:px-8 wide:grid-cols-[1.05fr_1fr] wide:gap-4 wide:pt-10 wide:pb-20'
export const heroPictureClass = 'relative mx-auto aspect-square w-full max-w-[440px] wide:max-w-none'

const words = brand.tagline.split(/(?<=\.) /)
const tones = ['coral', 'sky', 'leaf'] as const

type HeroWordsProps = { onStart?: () => void; onTrack?: () => void; onTry?: () => void; check?: ReactNode }

/** Tagline, description, the two main buttons, and a round to try without an account. */
export function HeroWords({ onStart, onTrack, onTry, check = <HeroCheckFrame /> }: HeroWordsProps) {
  return (
    <div className="grid justify-items-start gap-6 wide:gap-8">
      <span className="inline-flex items-center gap-2 rounded-full bg-lime py-1.5 pr-4 pl-2 font-semibold text-[#10231c] text-sm">
        <span aria-hidden="true" className="size-4 rounded-full border-[3.5px] border-[#10231c] border-r-transparent" />
        {brand.badge}
      </span>
      <h1 className="text-[clamp(3.4rem,15vw,4.6rem)] leading-[.94] wide:text-[clamp(3.4rem,6.5vw,6rem)]">
        {words.map((word, index) => (
          <span key={word} className="flex items-center gap-[.18em] whitespace-nowrap">
            {word}{' '}
            <span aria-hidden="true" className="hidden h-0 translate-y-[.06em] items-center min-[420px]:flex">
              <Ring value={(index + 1) / words.length} size={44} stroke={9} tone={tones[index] ?? 'leaf'} />
            </span>
          </span>
        ))}
      </h1>
      <p className="max-w-[30rem] text-lg text-soft wide:text-xl">
        Small daily challenges for body and mind, a quiz game with leaderboards, and USDT plans you can check yourself,
        down to the last cent.
      </p>
      <div className="flex w-full flex-wrap gap-3">
        <Button size="l" className="grow min-[420px]:grow-0" onClick={onStart}>
          Start Playing
        </Button>
        <Button size="l" variant="quiet" className="grow min-[420px]:grow-0" onClick={onTrack}>
          Track
        </Button>
        <Button size="l" variant="outline" className="w-full min-[420px]:w-auto" onClick={onTry}>
          Try a round, no sign-up
        </Button>
      </div>
      <div className="w-full max-w-[30rem]">{check}</div>
    </div>
  )
}

type HeroCheckFrameProps = { mark?: ReactNode; title?: string | undefined; children?: ReactNode }

/** Invites to check us, then shows what the check found. Both take two lines below the title, so nothing moves. */
export const HeroCheckFrame = ({ mark, title = 'Check us in ten seconds', children }: HeroCheckFrameProps) => (
  <span className="flex items-center gap-3 rounded-[20px] border border-line bg-surface p-3 pr-4 transition hover:border-line-strong">
    <span className="grid size-[52px] shrink-0 place-items-center">{mark}</span>
    <span className="grid min-w-0 leading-snug">
      <span className="font-semibold">{title}</span>
      <span className="min-h-[2lh] text-soft text-sm">
        {children || 'Your browser recomputes the latest draw and compares what we hold with what we owe.'}
      </span>
    </span>
  </span>
)

/** The rings of the illustration, empty. */
export const PlaceholderRings = () => (
  <div className="grid size-full place-items-center">
    <div className="grid size-[84%] place-items-center rounded-full border-[28px] border-track">
      <div className="size-[64%] rounded-full bg-track" />
    </div>
  </div>
)
