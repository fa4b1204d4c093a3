/** `open`: nothing is wrong, but something could not be checked; `gaps` says what. */
export type Finding = { verdict: 'right' | 'wrong' | 'open'; title: string; notes: string[]; gaps: string[] }

export type Report = { draw: Finding; books: Finding; atMs: number }
/** What the seal says about both findings together. */
export type Seal = Finding['verdict']

export function sealOf({ draw, books }: Report): Seal {
  const verdicts = [draw.verdict, books.verdict]
  if (verdicts.includes('wrong')) return 'wrong'
  return verdicts.includes('open') ? 'open' : 'right'
}
