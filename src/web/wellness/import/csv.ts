import { refuse } from './refusal.ts'
import type { Reader } from './xml.ts'

const CELL_CHARS_MAX = 4_096
const CELLS_MAX = 400

/** A streaming CSV reader. Quoted cells may contain separators, line breaks and doubled quotes. */
export function createCsvReader(separator: string, onRow: (cells: string[], isLastCut: boolean) => void): Reader {
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let quoteBefore = false

  function endCell(): void {
    cells.push(cell)
    cell = ''
    quoteBefore = false
    if (cells.length > CELLS_MAX) refuse('A line in this file has too many columns. Nothing was imported.')
  }
  function endRow(isLastCut: boolean): void {
    endCell()
    if (cells.length > 1 || cells[0] !== '') onRow(cells, isLastCut)
    cells = []
  }
  function take(character: string): void {
    if (quoted && character !== '"') cell += character
    else if (character === '"') {
      // A quote ends a quoted cell, unless another quote follows directly.
      if (quoteBefore && !quoted) cell += '"'
      quoteBefore = quoted
      quoted = !quoted
    } else if (character === separator) endCell()
    else if (character === '\n') endRow(false)
    else if (character !== '\r') cell += character
    if (cell.length > CELL_CHARS_MAX) refuse('A cell in this file is too long. Nothing was imported.')
  }

  return {
    write(chunk) {
      for (let at = 0; at < chunk.length; at++) take(chunk[at] as string)
    },
    end() {
      if (quoted) refuse('This file is incomplete. Export it again and choose the new file.')
      if (cell !== '' || cells.length > 0) endRow(true)
    },
  }
}
