/** One benchmark result: a ratio against a baseline from the same run, and its limit. */
export type Row = { name: string; ratio: number; atLeast?: number; atMost?: number }

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const limitOf = ({ atLeast, atMost }: Row) =>
  atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : ''
const missesLimit = ({ ratio, atLeast, atMost }: Row) =>
  (atLeast !== undefined && !(ratio >= atLeast)) || (atMost !== undefined && !(ratio <= atMost))

/** Prints the results. The process exits with 1 if a ratio misses its limit. */
export function report(rows: Row[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length))
  for (const row of rows)
    console.log(
      `${row.name.padEnd(width)}  ${row.ratio.toFixed(3).padStart(10)}  ${limitOf(row).padEnd(8)} ${missesLimit(row) ? 'MISSED' : ''}`,
    )
  if (rows.some(missesLimit)) process.exitCode = 1
}
