import { type ESTree, parseSync, Visitor } from 'vite'
import type { SourceFile } from './files.ts'

const FILE_LINES_MAX = 300
const FUNCTION_LINES_MAX = 70

/** Finds files and functions that are too long. A function should fit on one screen. */
export function findLong(files: SourceFile[]): string[] {
  return files.flatMap((file) => [...longFile(file), ...longFunctions(file)])
}

function longFile({ path, text }: SourceFile): string[] {
  const lines = countLines(text.trimEnd())
  return lines > FILE_LINES_MAX ? [`${path} has ${lines} lines, more than ${FILE_LINES_MAX}`] : []
}

const countLines = (text: string) => text.split('\n').length

/** Counts from the first to the last line of a function. Ignores `describe` callbacks, which only group tests. */
function longFunctions({ path, text }: SourceFile): string[] {
  if (!/\.tsx?$/.test(path)) return []
  const groups = new Set<unknown>()
  const long: string[] = []
  const measure = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    const lines = countLines(text.slice(node.start, node.end))
    if (lines <= FUNCTION_LINES_MAX || groups.has(node)) return
    const first = countLines(text.slice(0, node.start))
    long.push(`${path}:${first} is a function of ${lines} lines, more than ${FUNCTION_LINES_MAX}`)
  }
  const visitor = new Visitor({
    CallExpression({ callee, arguments: given }) {
      if (text.startsWith('describe', callee.start)) for (const argument of given) groups.add(argument)
    },
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  })
  visitor.visit(parseSync(path, text).program)
  return long
}
