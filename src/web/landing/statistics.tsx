import { useEffect, useState } from 'react'
import { brand } from '../../protocol/brand.ts'
import { figureText } from '../../protocol/figures.ts'
import { loadCallsLater } from './quiet.ts'

type Reached = Record<(typeof brand.statistics)[number]['label'], number>

/** The specification's figures as goals, and what users have really reached beside them. */
export function Statistics() {
  const reached = useReached()
  return (
    <section id="progress" aria-labelledby="progress-title" className="mx-auto max-w-[1200px] px-5 sm:px-8">
      <div className="border-line border-y">
        <h2
          id="progress-title"
          className="pt-5 text-center font-sans! font-semibold text-base text-soft tracking-normal! wide:pt-7"
        >
          {brand.statisticsCaption}
        </h2>
        <dl className="grid grid-cols-3 divide-x divide-line">
          {brand.statistics.map(({ figure, label }) => (
            <div key={label} className="grid content-start gap-1 px-2 py-6 text-center wide:py-8">
              <dt className="order-2 text-faint text-sm wide:text-base">{label}</dt>
              <dd className="order-1 font-display text-[clamp(1.75rem,5.5vw,4rem)] leading-none">{figure}</dd>
              <dd className="figures order-3 min-h-6 font-semibold text-leaf-ink text-sm wide:text-base">
                {reached && `${figureText(reached[label])} so far`}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}

/** Undefined until the server has replied. Without a reply, only the goals are shown. */
function useReached(): Reached | undefined {
  const [reached, setReached] = useState<Reached>()
  useEffect(() => {
    let isWanted = true
    loadCallsLater()
      .then(() => import('./community.ts'))
      .then(({ readCommunity }) => readCommunity())
      .then((counts) => isWanted && setReached(counts))
      .catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [])
  return reached
}
