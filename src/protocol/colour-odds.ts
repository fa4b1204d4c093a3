/** The colour game's odds. Imports nothing, so that the landing page can show them without loading the schemas. */
export const colours = ['green', 'red', 'violet'] as const
export type Colour = (typeof colours)[number]

/** Draws from `from` to `to` (within 0 to 99) are this colour and pay `pays` times the stake. */
export const colourTable: Record<Colour, { from: number; to: number; pays: bigint }> = {
  green: { from: 0, to: 47, pays: 2n },
  red: { from: 48, to: 95, pays: 2n },
  violet: { from: 96, to: 99, pays: 24n },
}
export const DRAW_SIZE = 100

/** The chance of a colour in percent: how many of the 100 numbers it has. */
export const chancePercent = (colour: Colour): number => colourTable[colour].to - colourTable[colour].from + 1

export function colourOf(draw: number): Colour {
  const found = colours.find((colour) => draw >= colourTable[colour].from && draw <= colourTable[colour].to)
  if (!found) throw new Error(`No colour has the number ${draw}`)
  return found
}

/** Average return in percent of the stake. It is the same for every colour. */
export const RETURN_PERCENT = BigInt(chancePercent('green')) * colourTable.green.pays
