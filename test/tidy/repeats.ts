import type { SourceFile } from './files.ts'

const BLOCK_LINES = 6

type Line = { text: string; number: number }
type Place = { path: string; number: number }

/** Finds duplicated blocks of six or more lines in the product code, with both places. */
export function findRepeats(files: SourceFile[]): string[] {
  const firstPlaces = new Map<string, Place>()
  return files.filter(({ path }) => isProduct(path)).flatMap((file) => repeatsIn(file, firstPlaces))
}

const isProduct = (path: string) => /^src\/.*\.tsx?$/.test(path) && !/\.test\.|^src\/server\/testing\//.test(path)

/** Compares every run of six lines with all earlier runs. Overlapping duplicates are reported as one block. */
function repeatsIn({ path, text }: SourceFile, firstPlaces: Map<string, Place>): string[] {
  const lines = linesThatCount(text)
  const repeats: string[] = []
  let blockEnd = 0
  for (let at = 0; at + BLOCK_LINES <= lines.length; at++) {
    const block = lines.slice(at, at + BLOCK_LINES)
    const key = block.map((line) => line.text).join('\n')
    const number = block[0]?.number ?? 0
    const first = firstPlaces.get(key)
    if (!first) {
      firstPlaces.set(key, { path, number })
      continue
    }
    if (at >= blockEnd) repeats.push(`${path}:${number} repeats ${first.path}:${first.number}`)
    blockEnd = at + BLOCK_LINES
  }
  return repeats
}

/** Skips imports, comments, lone brackets and lines with a single name. */
function linesThatCount(text: string): Line[] {
  return text
    .replace(/^import [\s\S]*?from '.*'$/gm, (lines) => lines.replace(/.+/g, ''))
    .split('\n')
    .map((line, at) => ({ text: line.trim(), number: at + 1 }))
    .filter(({ text: line }) => /\w/.test(line) && !/^(?:\/\/|\/?\*)|^\w+,?$/.test(line))
}
