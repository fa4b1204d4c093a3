import type { ComponentProps, InputEvent } from 'react'
import { controlClass } from './field.tsx'

type NumberInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'min'> & {
  value: string
  /** Gets the new text if `accepts` matches it. Other input is ignored. */
  onText: (text: string) => void
  accepts: RegExp
  min: string
}

/**
 * A number with a minimum. The value stays text: what is typed is what is sent. A comma becomes a point, because a plain
 * number input drops it in many browsers, which would turn 1,5 into 15.
 */
export function NumberInput({ value, onText, accepts, min, className = '', ...rest }: NumberInputProps) {
  return (
    <input
      type="number"
      step="any"
      autoComplete="off"
      {...rest}
      min={min}
      value={value}
      onBeforeInput={replaceComma}
      onChange={({ target }) => accepts.test(target.value) && onText(target.value)}
      // Scrolling the page must not change an amount.
      onWheel={({ currentTarget }) => currentTarget.blur()}
      className={`${controlClass} figures ${plainClass} ${className}`}
    />
  )
}

const plainClass =
  '[appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none [&::-webkit-outer-spin-button]:appearance-none'

/** Also ignores signs and exponents, which a number input would accept. */
function replaceComma(event: InputEvent<HTMLInputElement>): void {
  const { data } = event
  if (data === null) return
  const text = data.trim().replace(',', '.')
  const isNumeric = /^\d*\.?\d*$/.test(text)
  if (isNumeric && text === data) return
  event.preventDefault()
  // The only way to insert at the cursor: a number input does not say where it is.
  if (isNumeric) document.execCommand('insertText', false, text)
}
