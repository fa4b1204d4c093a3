import { lazy, Suspense } from 'react'
import { RETURN_PERCENT } from '../../protocol/colour-odds.ts'
import { TrustFrame } from './trust-frame.tsx'
import { WhenNear } from './when-near.tsx'

const TrustFigures = lazy(async () => ({ default: (await import('./trust-figures.tsx')).TrustFigures }))

const points = [
  {
    title: 'You can lose',
    text: `In the colour game, every colour pays back ${RETURN_PERCENT}% on average. Over time, the house keeps the rest.`,
  },
  {
    title: 'Rewards can be delayed',
    text: 'They are paid only from the operator’s own money. If a pool is empty, rewards wait until it is funded again.',
  },
  {
    title: 'Plans are locked',
    text: 'You get the money in a plan back when its term ends, not before. Only use money you won’t need.',
  },
  {
    title: 'Transfers are final',
    text: 'Money sent to a wrong address is gone. We check what we can, but no one can reverse a blockchain transfer.',
  },
]

export function Risk() {
  return (
    <section aria-labelledby="risk-title" className="mx-auto max-w-[1200px] px-5 pt-8 pb-14 sm:px-8 wide:pb-20">
      <div className="rounded-[32px] bg-panel p-6 text-on-panel sm:p-10 wide:p-14">
        <h2 id="risk-title" className="mb-3 text-[clamp(2rem,6vw,3.5rem)]">
          The honest part
        </h2>
        <p className="mb-10 max-w-[34em] text-lg text-on-panel-soft">
          This is a game with real money in it. Before you put any in, read these four points.
        </p>
        <ul className="grid gap-x-12 gap-y-8 wide:grid-cols-2">
          {points.map(({ title, text }) => (
            <li key={title} className="border-lime border-l-[3px] pl-5">
              <h3 className="mb-1.5 text-xl">{title}</h3>
              <p className="text-on-panel-soft">{text}</p>
            </li>
          ))}
        </ul>
        <WhenNear placeholder={<TrustFrame />}>
          <Suspense fallback={<TrustFrame />}>
            <TrustFigures />
          </Suspense>
        </WhenNear>
      </div>
    </section>
  )
}
