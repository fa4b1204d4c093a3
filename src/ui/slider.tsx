import { cssVariables } from './css-variables.ts'

type SliderProps = {
  label: string
  /** Number of positions, from 0. */
  count: number
  value: number
  /** What the position means, for screen readers. */
  text: string
  onChange: (position: number) => void
  disabled?: boolean
}

/** The native range input: arrow keys, Home and End work. High enough for a thumb. */
export const Slider = ({ label, count, value, text, onChange, disabled = false }: SliderProps) => (
  <input
    type="range"
    aria-label={label}
    aria-valuetext={text}
    min={0}
    max={count - 1}
    step={1}
    value={value}
    disabled={disabled}
    onChange={({ target }) => onChange(Number(target.value))}
    style={cssVariables({ '--filled': `${(100 * value) / Math.max(1, count - 1)}%` })}
    className="slider h-11 w-full cursor-pointer disabled:cursor-default disabled:opacity-50"
  />
)
