import { lazy, Suspense } from 'react'
import { RETURN_PERCENT } from '../../protocol/colour-odds.ts'
import { WhenNear } from './when-near.tsx'

const TrustFigures = lazy(async () => ({ default: (await import('./trust-figures.tsx')).TrustFigures }))

const sentences = [
  {
    title: 'You can lose',
    text: `In the colour game every colour returns ${RETURN_PERCENT}% on average. Play long enough and the house keeps the rest.`,
  },
  {
    title: 'Rewards may wait',
    text: 'They come only from the operator’s own money. An empty pool pays nobody until it is filled again.',
  },
  {
    title: 'Plans are locked',
    text: 'What you put into a plan comes back when its term ends, not before. Only use money you will not need.',
  },
  {
    title: 'Chains do not undo',
    text: 'A transfer to a wrong address is gone. We check what we can; nobody can reverse the chain.',
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
          This is a game with real money in it. Before you put any in, read four sentences.
        </p>
        <ul className="grid gap-x-12 gap-y-8 wide:grid-cols-2">
          {sentences.map(({ title, text }) => (
            <li key={title} className="border-lime border-l-[3px] pl-5">
              <h3 className="mb-1.5 text-xl">{title}</h3>
              <p className="text-on-panel-soft">{text}</p>
            </li>
          ))}
        </ul>
        <WhenNear resting={null}>
          <Suspense>
            <TrustFigures />
          </Suspense>
        </WhenNear>
      </div>
    </section>
  )
}
