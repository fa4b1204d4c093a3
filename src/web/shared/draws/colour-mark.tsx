import type { Colour } from '../../../protocol/colour-odds.ts'

/** Each colour also has a name, a letter and a shape, for users with colour blindness. */
export const colourLook: Record<Colour, { name: string; letter: string; path: string; letterY: number }> = {
  green: { name: 'Green', letter: 'G', path: 'M20 3a17 17 0 1 1 0 34 17 17 0 0 1 0-34Z', letterY: 21 },
  red: {
    name: 'Red',
    letter: 'R',
    path: 'M17.6 3.5a3.4 3.4 0 0 1 4.8 0l14.1 14.1a3.4 3.4 0 0 1 0 4.8L22.4 36.5a3.4 3.4 0 0 1-4.8 0L3.5 22.4a3.4 3.4 0 0 1 0-4.8Z',
    letterY: 21,
  },
  violet: {
    name: 'Violet',
    letter: 'V',
    path: 'M17.3 3.9a3.1 3.1 0 0 1 5.4 0l15 27a3.1 3.1 0 0 1-2.7 4.6H5a3.1 3.1 0 0 1-2.7-4.6Z',
    letterY: 25,
  },
}

type ColourMarkProps = { colour: Colour; size?: number; className?: string }

export function ColourMark({ colour, size = 40, className = '' }: ColourMarkProps) {
  const { name, letter, path, letterY } = colourLook[colour]
  return (
    <svg
      viewBox="0 0 40 40"
      width={size}
      height={size}
      role="img"
      aria-label={name}
      className={`shrink-0 ${className}`}
    >
      <path d={path} fill={`var(--game-${colour})`} />
      <text
        x="20"
        y={letterY}
        textAnchor="middle"
        dominantBaseline="central"
        fontSize="17"
        fontWeight="700"
        fill="var(--game-on)"
      >
        {letter}
      </text>
    </svg>
  )
}
