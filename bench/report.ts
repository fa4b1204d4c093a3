/** One row of a benchmark: a ratio against a baseline of the same run, and what it must reach. */
export type Row = { name: string; ratio: number; atLeast?: number; atMost?: number }

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const limitOf = ({ atLeast, atMost }: Row) =>
  atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : ''
const isShort = ({ ratio, atLeast, atMost }: Row) =>
  (atLeast !== undefined && !(ratio >= atLeast)) || (atMost !== undefined && !(ratio <= atMost))

/** Prints the table; the process fails when a row falls short. */
export function report(rows: Row[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length))
  for (const row of rows)
    console.log(
      `${row.name.padEnd(width)}  ${row.ratio.toFixed(3).padStart(10)}  ${limitOf(row).padEnd(8)} ${isShort(row) ? 'SHORT' : ''}`,
    )
  const short = rows.filter(isShort)
  if (short.length > 0) process.exitCode = 1
}
