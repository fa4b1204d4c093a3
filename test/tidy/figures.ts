import type { SourceFile } from './files.ts'

/** A figure and its unit, such as 5%, 20 USDT or 24 hours. A single day or minute is a unit, not a term. */
const FIGURE =
  /(?<![\w.,#[(–-])\d+(?:[.,]\d+)*\s?(?:%(?=[\s'"`<.,:;)])|USDT\b|(?:seconds|minutes|hours|days|months|years|levels)\b)/g

/** Where such a figure is no term: examples of components, spans of a chart, an answer of the quiz, the whole of something. */
const ALLOWED = /^src\/web\/(app\/gallery|balance\/total|landing\/taste|trust\/trust-page)\.tsx$/

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm

/** Figures that an operator may set, written into a text instead of read from the terms or from the server. */
export function findFigures(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^src\/(web|protocol|server\/(features|operators))\//.test(path))
    .filter(({ path }) => !path.includes('.test.') && !path.includes('/questions/') && !ALLOWED.test(path))
    .flatMap(({ path, text }) =>
      [...text.replace(COMMENT, '').matchAll(FIGURE)].map(([figure]) => `${path}: ${figure}`),
    )
}
