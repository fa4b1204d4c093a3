import { parseUsdt, type Usdt } from '../../../protocol/money.ts'

/** What was typed as an amount; undefined while it is empty or not finished, such as "12." */
export function readAmount(text: string): Usdt | undefined {
  try {
    return parseUsdt(text)
  } catch {
    return undefined
  }
}
