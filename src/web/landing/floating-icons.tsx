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

/** Position in percent of the hero. Phones and wide windows each have their own. */
type Place = readonly [left: number, top: number]
type Floating = { icon: LucideIcon; tone: Tone; size: number; phone?: Place; wide: Place }

// Placed along the edges and around the picture, never over the text. Phones show only the first eight.
const icons: Floating[] = [
  { icon: Leaf, tone: 'leaf', size: 40, phone: [88, 2], wide: [90, 5] },
  { icon: Dumbbell, tone: 'violet', size: 34, phone: [72, 9], wide: [63, 4] },
  { icon: Apple, tone: 'coral', size: 36, phone: [90, 24], wide: [94, 22] },
  { icon: HeartPulse, tone: 'coral', size: 34, phone: [4, 58], wide: [24, 3] },
  { icon: Moon, tone: 'violet', size: 40, phone: [90, 60], wide: [94, 57] },
  { icon: Flame, tone: 'gold', size: 40, phone: [6, 92], wide: [3, 94] },
  { icon: Droplet, tone: 'sky', size: 34, phone: [88, 92], wide: [93, 93] },
  { icon: Footprints, tone: 'lime', size: 36, phone: [46, 54], wide: [48, 62] },
  { icon: Bike, tone: 'sky', size: 38, wide: [41, 5] },
  { icon: Trophy, tone: 'gold', size: 44, wide: [94.5, 40] },
  { icon: Brain, tone: 'violet', size: 36, wide: [45, 24] },
  { icon: Sun, tone: 'gold', size: 38, wide: [53, 10] },
  { icon: Carrot, tone: 'coral', size: 38, wide: [45, 91] },
  { icon: Smile, tone: 'leaf', size: 38, wide: [94.5, 76] },
  { icon: Target, tone: 'leaf', size: 34, wide: [23, 95] },
]

/** Decoration: 8 drifting icons, 15 when the window is wider than 768 px. */
export function FloatingIcons() {
  const isWide = useMedia('(min-width: 769px)')
  return (
    <div aria-hidden="true" className="-z-10 pointer-events-none absolute inset-0">
      {icons.slice(0, isWide ? icons.length : FEW).map(({ icon: Icon, tone, size, phone, wide }, index) => {
        const [left, top] = isWide || !phone ? wide : phone
        const place = { left: `${left}%`, top: `${top}%`, width: size, height: size }
        return (
          <span
            key={`${left} ${top}`}
            data-floating-icon=""
            className={`absolute grid animate-drift place-items-center rounded-full ${tintByTone[tone]}`}
            style={{ ...place, animationDelay: `${index * -0.9}s` }}
          >
            <Icon size={size * 0.5} strokeWidth={2.2} />
          </span>
        )
      })}
    </div>
  )
}
