/** The colour game's odds. Imports nothing: the landing page states them and brings no schemas. */
export const colours = ['green', 'red', 'violet'] as const
export type Colour = (typeof colours)[number]

/** Numbers from `from` to `to` of 0 to 99 are this colour and pay `pays` times the stake. */
export const colourTable: Record<Colour, { from: number; to: number; pays: bigint }> = {
  green: { from: 0, to: 47, pays: 2n },
  red: { from: 48, to: 95, pays: 2n },
  violet: { from: 96, to: 99, pays: 24n },
}
export const DRAW_SIZE = 100

/** How many of the hundred numbers are this colour: its chance in percent. */
export const chancePercent = (colour: Colour): number => colourTable[colour].to - colourTable[colour].from + 1

export function colourOf(draw: number): Colour {
  const found = colours.find((colour) => draw >= colourTable[colour].from && draw <= colourTable[colour].to)
  if (!found) throw new Error(`No colour has the number ${draw}`)
  return found
}

/** What comes back on average, in percent of the stake: the same for each colour. */
export const RETURN_PERCENT = BigInt(chancePercent('green')) * colourTable.green.pays
