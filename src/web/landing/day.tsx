import { Apple, Footprints, Sparkles, Wind } from 'lucide-react'
import { Ring } from '../../ui/ring.tsx'
import type { Tone } from '../../ui/tone.ts'

/** Four of the daily challenges, as the app words them (protocol/wellness-day.ts). */
export const tasks: { time: string; title: string; text: string; value: number; tone: Tone; icon: typeof Apple }[] = [
  {
    time: 'Morning',
    title: 'Two quiet minutes',
    text: 'Breathe with the guide for 2 minutes.',
    value: 1,
    tone: 'sky',
    icon: Wind,
  },
  {
    time: 'Noon',
    title: 'Green on the plate',
    text: 'Have vegetables with two of your meals.',
    value: 1,
    tone: 'coral',
    icon: Apple,
  },
  {
    time: 'Afternoon',
    title: 'Find your pace',
    text: 'Walk 7,000 steps or move for 30 minutes.',
    value: 0.7,
    tone: 'leaf',
    icon: Footprints,
  },
  {
    time: 'Evening',
    title: 'Warm-up round',
    text: 'Get 5 answers right in one quiz game.',
    value: 0.35,
    tone: 'violet',
    icon: Sparkles,
  },
]

/** What a day of challenges looks like. */
export function Day() {
  return (
    <section id="challenges" aria-labelledby="day-title" className="bg-sunken">
      <div className="mx-auto grid max-w-[1200px] gap-8 px-5 py-14 sm:px-8 wide:grid-cols-[.8fr_1fr] wide:items-center wide:gap-16 wide:py-24">
        <div>
          <h2 id="day-title" className="mb-4 text-[clamp(2rem,6vw,3.5rem)]">
            Close your rings, day by day
          </h2>
          <p className="max-w-[28em] text-lg text-soft">
            Four small challenges a day. Close a ring every day to grow your streak. Points raise your level and your
            place on the weekly board with friends. You earn them for what you do, never for what you pay.
          </p>
        </div>
        <ol className="grid gap-3">
          {tasks.map(({ time, title, text, value, tone, icon: Icon }) => (
            <li key={title} className="flex items-center gap-4 rounded-[22px] bg-surface p-4 shadow-card wide:p-5">
              <Ring value={value} size={60} stroke={7} tone={tone}>
                <Icon size={20} aria-hidden="true" />
              </Ring>
              <div className="min-w-0 grow">
                <h3 className="text-lg">{title}</h3>
                <p className="text-soft">{text}</p>
              </div>
              <span className="self-start text-faint text-sm">{time}</span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
