import type { ReactNode } from 'react'
import { ActivityArt, ChallengesArt, MindfulnessArt, NutritionArt } from './feature-art.tsx'

export function Features() {
  return (
    <section
      id="features"
      aria-labelledby="features-title"
      className="mx-auto max-w-[1200px] px-5 py-14 sm:px-8 wide:py-24"
    >
      <h2 id="features-title" className="mb-8 max-w-[14em] text-[clamp(2rem,6vw,3.5rem)] wide:mb-12">
        Four ways to feel a little better today
      </h2>
      <div className="grid gap-4 wide:grid-cols-12 wide:gap-5">
        <Feature
          title="Activity"
          text="Points for steps and workouts. Every walk counts, and the rings show how far you've come."
          art={<ActivityArt />}
          className="bg-panel text-on-panel max-[559px]:grid-cols-1 wide:col-span-7"
          textClass="text-on-panel-soft"
        />
        <Feature
          title="Nutrition"
          text="Rewards for healthy choices: close the day's nutrition ring and earn points. No need to count every gram."
          art={<NutritionArt />}
          className="bg-coral-tint wide:col-span-5"
        />
        <Feature
          title="Challenges"
          text="Compete with friends on a weekly board, and with everyone on the quiz leaderboards."
          art={<ChallengesArt />}
          className="bg-violet-tint wide:col-span-5"
        />
        <Feature
          title="Mindfulness"
          text="Meditation exercises that start with one slow breath. This circle breathes with you."
          art={<MindfulnessArt />}
          className="bg-sky-tint wide:col-span-7"
        />
      </div>
    </section>
  )
}

type FeatureProps = { title: string; text: string; art: ReactNode; className: string; textClass?: string }

function Feature({ title, text, art, className, textClass = 'text-soft' }: FeatureProps) {
  return (
    <article className={`group grid grid-cols-[1fr_auto] overflow-hidden rounded-[28px] ${className}`}>
      <div className="self-end p-6 max-[559px]:group-first:order-2 max-[559px]:group-first:pt-0 wide:p-9">
        <h3 className="mb-2 text-2xl wide:text-3xl">{title}</h3>
        <p className={`max-w-[24em] ${textClass}`}>{text}</p>
      </div>
      <div
        aria-hidden="true"
        className="grid place-items-center p-6 max-[559px]:not-group-first:pl-0 max-[559px]:not-group-first:[zoom:.62] wide:h-[300px] wide:pl-0"
      >
        {art}
      </div>
    </article>
  )
}
