import { parseUsdt, type Usdt } from '../../../protocol/money.ts'

/** Parses a typed amount; undefined while it is empty or incomplete, such as "12." */
export function readAmount(text: string): Usdt | undefined {
  try {
    return parseUsdt(text)
  } catch {
    return undefined
  }
}
