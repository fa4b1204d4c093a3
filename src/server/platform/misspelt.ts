import { databaseUrls, localSettings, settings } from './settings.ts'

const known = [settings, databaseUrls, localSettings].flatMap(({ shape }) => Object.keys(shape))
const LONG_NAME_CHARS = 10

/** One sentence for each variable that looks like one of our settings, but is none. It would be ignored silently. */
export const findMisspelt = (env: Record<string, string | undefined>): string[] =>
  Object.keys(env).flatMap((name) => {
    const meant = known.includes(name) ? undefined : known.find((setting) => isClose(normalOf(name), setting))
    return meant ? [`${name} is not a setting. Did you mean ${meant}?`] : []
  })

const normalOf = (name: string): string =>
  name
    .toUpperCase()
    .replaceAll('-', '_')
    .replace(/^WELLPLAY_/, '')

/** Short names may differ in one place only: HOST and HOME are two different things. */
function isClose(name: string, setting: string): boolean {
  const most = setting.length < LONG_NAME_CHARS ? 1 : 2
  return Math.abs(name.length - setting.length) <= most && countEdits(name, setting) <= most
}

/** How many letters must be added, removed, replaced or swapped with the next one to turn `a` into `b`. */
function countEdits(a: string, b: string): number {
  const edits: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i])
  const at = (i: number, j: number) => edits[i]?.[j] ?? j
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : replaced
      edits[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped))
    }
  return at(a.length, b.length)
}
