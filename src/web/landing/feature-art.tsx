import { Rings } from '../../ui/ring.tsx'

/** Small pictures for the four feature cards, drawn with the same rings and leaves as the rest of the design. */
export function ActivityArt() {
  return (
    <div className="[&_circle:nth-child(odd)]:stroke-[#2a4238]">
      <Rings
        size={196}
        stroke={19}
        rings={[
          { value: 0.82, tone: 'lime', label: 'steps' },
          { value: 0.58, tone: 'coral', label: 'workouts' },
          { value: 0.36, tone: 'sky', label: 'minutes' },
        ]}
      />
    </div>
  )
}

export function NutritionArt() {
  return (
    <svg viewBox="0 0 200 190" width="190" aria-hidden="true">
      <path d="M104 84C92 58 98 34 122 18C136 46 130 68 104 84Z" fill="#1f9d6b" />
      <path d="M100 86C74 82 58 66 58 40C84 46 98 60 100 86Z" fill="#43c78e" />
      <circle cx="138" cy="70" r="20" fill="#ff6b4a" />
      <path d="M138 52c2-8 8-12 14-12" fill="none" stroke="#10231c" strokeWidth="4" strokeLinecap="round" />
      <circle cx="70" cy="76" r="14" fill="#f2b632" />
      <path d="M22 92H178C178 138 146 168 100 168S22 138 22 92Z" fill="#10231c" />
      <path d="M44 112C52 134 68 146 88 150" fill="none" stroke="#c8f169" strokeWidth="7" strokeLinecap="round" />
      <rect x="70" y="166" width="60" height="12" rx="6" fill="#10231c" />
    </svg>
  )
}

export function ChallengesArt() {
  const players = [
    { x: 46, base: 104, tone: '#4bb3fd', share: 0.62, letter: 'M' },
    { x: 104, base: 62, tone: '#c8f169', share: 0.92, letter: 'A' },
    { x: 162, base: 122, tone: '#ff6b4a', share: 0.44, letter: 'J' },
  ]
  return (
    <svg viewBox="0 0 208 200" width="200" aria-hidden="true">
      {players.map(({ x, base, tone, share, letter }) => (
        <g key={letter}>
          <rect x={x - 25} y={base + 32} width="50" height={200 - base - 32} rx="14" fill="#7b5cff" opacity={share} />
          <circle cx={x} cy={base} r="21" fill="none" strokeWidth="6" className="stroke-surface" />
          <circle
            cx={x}
            cy={base}
            r="21"
            fill="none"
            stroke={tone}
            strokeWidth="6"
            strokeLinecap="round"
            pathLength={1}
            strokeDasharray={`${share} 1`}
            transform={`rotate(-90 ${x} ${base})`}
          />
          <text x={x} y={base + 6} textAnchor="middle" className="fill-ink font-display text-[17px]">
            {letter}
          </text>
        </g>
      ))}
      <path d="M92 22l6 8 6-12 6 12 6-8v14H92z" fill="#f2b632" transform="translate(0 -6)" />
    </svg>
  )
}

export function MindfulnessArt() {
  return (
    <div className="relative grid size-[200px] place-items-center">
      {[200, 150, 100].map((size, index) => (
        <span
          key={size}
          className="absolute animate-breath rounded-full bg-sky opacity-25"
          style={{ width: size, height: size, animationDelay: `${index * 160}ms` }}
        />
      ))}
      <span className="relative size-14 rounded-full bg-[#10231c]">
        <svg viewBox="0 0 56 56" aria-hidden="true">
          <path
            d="M18 27q4 4 8 0M31 27q4 4 8 0M22 36q6 5 12 0"
            fill="none"
            stroke="#c8f169"
            strokeWidth="3"
            strokeLinecap="round"
          />
        </svg>
      </span>
    </div>
  )
}
