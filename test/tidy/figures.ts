import type { SourceFile } from './files.ts'

/** A figure with its unit, such as 5%, 20 USDT or 24 hours. A single day or minute is allowed. */
const FIGURE =
  /(?<![\w.,#[(–-])\d+(?:[.,]\d+)*\s?(?:%(?=[\s'"`<.,:;)])|USDT\b|(?:seconds|minutes|hours|days|months|years|levels)\b)/g

/** Pages whose figures are not terms: component examples, chart periods, sample challenges, a quiz answer, and 100%. */
const ALLOWED = /^src\/web\/(app\/gallery|balance\/over-time|landing\/day|trust\/trust-page)\.tsx$/

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm

/** Finds figures that should come from the terms or the server, because an operator may change them. */
export function findFigures(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^src\/(web|protocol|server\/(features|operators))\//.test(path))
    .filter(({ path }) => !path.includes('.test.') && !path.includes('/questions/') && !ALLOWED.test(path))
    .flatMap(({ path, text }) =>
      [...text.replace(COMMENT, '').matchAll(FIGURE)].map(([figure]) => `${path}: ${figure}`),
    )
}
