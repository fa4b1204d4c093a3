import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Ring } from '../../ui/ring.tsx'

const trials = [
  {
    to: '/play/colour',
    title: 'Colour game',
    words: 'The round is live. Bet free chips, watch the draw, and let your browser check it.',
    action: 'Try the colour game',
    tones: ['leaf', 'coral', 'violet'],
  },
  {
    to: '/play/quiz',
    title: 'Quiz',
    words: 'Four answers drift by, one is right. The server deals and scores. Keep your points if you like them.',
    action: 'Try the quiz',
    tones: ['sky', 'lime', 'gold'],
  },
] as const

/** The two games that visitors can play without an account. */
export function Trials() {
  return (
    <section
      id="games"
      aria-labelledby="games-title"
      className="mx-auto grid max-w-[1200px] gap-8 px-5 py-14 sm:px-8 wide:py-20"
    >
      <div className="grid gap-3">
        <h2 id="games-title" className="text-[clamp(2rem,6vw,3.5rem)]">
          Play a round first. No sign-up.
        </h2>
        <p className="max-w-[38rem] text-lg text-soft">
          Both games are the real ones. You need no wallet until there is something you want to keep.
        </p>
      </div>
      <div className="grid gap-4 wide:grid-cols-2 wide:gap-6">
        {trials.map(({ to, title, words, action, tones }) => (
          <article key={to} className="grid content-between gap-6 rounded-[32px] bg-panel p-6 text-on-panel sm:p-8">
            <div className="grid gap-4">
              <div aria-hidden="true" className="flex gap-2">
                {tones.map((tone, index) => (
                  <Ring key={tone} value={(index + 2) / 4} size={56} stroke={9} tone={tone} track="stroke-panel-line" />
                ))}
              </div>
              <h3 className="font-display text-3xl">{title}</h3>
              <p className="text-on-panel-soft">{words}</p>
            </div>
            <Link to={to} className={`${buttonClass({ variant: 'lime', size: 'l' })} justify-self-start`}>
              {action}
              <ArrowRight size={18} aria-hidden="true" />
            </Link>
          </article>
        ))}
      </div>
    </section>
  )
}
