import { Dices, KeyRound, Scale } from 'lucide-react'
import { brand } from '../../protocol/brand.ts'
import { Rings } from '../../ui/ring.tsx'

const promises = [
  {
    icon: KeyRound,
    title: 'Your wallet is your key',
    text: 'Only you have its keys, and withdrawals go only to it.',
  },
  {
    icon: Scale,
    title: 'Every balance is backed',
    text: 'The money is held on chain. Anyone can check it, even without an account.',
  },
  { icon: Dices, title: 'Every draw can be checked', text: 'Check it yourself in your browser, after every round.' },
]

const rings = [
  { value: 0.86, tone: 'lime', label: 'Activity' },
  { value: 0.64, tone: 'coral', label: 'Nutrition' },
  { value: 0.72, tone: 'sky', label: 'Challenges' },
  { value: 0.4, tone: 'violet', label: 'Mindfulness' },
] as const

/** What the product promises, beside the form on wide screens. */
export function Promises() {
  return (
    <section
      aria-label="What we promise"
      className="hidden content-between gap-12 rounded-card bg-panel p-12 text-on-panel shadow-lift lg:grid"
    >
      <div className="flex items-center justify-between gap-8">
        <p className="font-display text-5xl leading-[.98]">
          {brand.tagline.split(/(?<=\.) /).map((word) => (
            <span key={word} className="block">
              {word}
            </span>
          ))}
        </p>
        <div aria-hidden="true" className="[color-scheme:dark]">
          <Rings rings={[...rings]} size={200} stroke={17} />
        </div>
      </div>
      <ul className="grid gap-6">
        {promises.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-4">
            <span className="grid size-11 shrink-0 place-items-center rounded-full bg-panel-line text-lime">
              <Icon size={20} aria-hidden="true" />
            </span>
            <span className="grid">
              <strong>{title}</strong>
              <span className="text-on-panel-soft">{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
