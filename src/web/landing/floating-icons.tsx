import {
  Apple,
  Bike,
  Brain,
  Carrot,
  Droplet,
  Dumbbell,
  Flame,
  Footprints,
  HeartPulse,
  Leaf,
  type LucideIcon,
  Moon,
  Smile,
  Sun,
  Target,
  Trophy,
} from 'lucide-react'
import { useMedia } from '../../ui/media.ts'
import { type Tone, tintByTone } from '../../ui/tone.ts'

const FEW = 8

type Floating = { icon: LucideIcon; tone: Tone; left: number; top: number; size: number }

// Along the edges and around the picture, never on the words. The first eight also fit a phone.
const icons: Floating[] = [
  { icon: Leaf, tone: 'leaf', left: 88, top: 2, size: 40 },
  { icon: Dumbbell, tone: 'violet', left: 72, top: 9, size: 34 },
  { icon: Apple, tone: 'coral', left: 90, top: 24, size: 36 },
  { icon: HeartPulse, tone: 'coral', left: 4, top: 58, size: 34 },
  { icon: Moon, tone: 'violet', left: 92, top: 60, size: 40 },
  { icon: Flame, tone: 'gold', left: 6, top: 92, size: 40 },
  { icon: Droplet, tone: 'sky', left: 88, top: 91, size: 34 },
  { icon: Footprints, tone: 'lime', left: 50, top: 55, size: 36 },
  { icon: Bike, tone: 'sky', left: 1.5, top: 12, size: 38 },
  { icon: Trophy, tone: 'gold', left: 96, top: 42, size: 44 },
  { icon: Brain, tone: 'violet', left: 1, top: 36, size: 36 },
  { icon: Sun, tone: 'gold', left: 52, top: 4, size: 38 },
  { icon: Carrot, tone: 'coral', left: 45, top: 90, size: 38 },
  { icon: Smile, tone: 'leaf', left: 97, top: 80, size: 38 },
  { icon: Target, tone: 'leaf', left: 22, top: 95, size: 34 },
]

/** Decoration: 8 small things drifting, 15 when the window is wider than 768 px. */
export function FloatingIcons() {
  const isWide = useMedia('(min-width: 769px)')
  return (
    <div aria-hidden="true" className="-z-10 pointer-events-none absolute inset-0">
      {icons.slice(0, isWide ? icons.length : FEW).map(({ icon: Icon, tone, left, top, size }, index) => (
        <span
          key={`${left} ${top}`}
          data-floating-icon=""
          className={`absolute grid animate-drift place-items-center rounded-full ${tintByTone[tone]}`}
          style={{ left: `${left}%`, top: `${top}%`, width: size, height: size, animationDelay: `${index * -0.9}s` }}
        >
          <Icon size={size * 0.5} strokeWidth={2.2} />
        </span>
      ))}
    </div>
  )
}
