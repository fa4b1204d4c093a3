import type { Day } from '../../../protocol/time.ts'
import type { ImportSource } from '../../../protocol/wellness-day.ts'
import { createCsvReader } from './csv.ts'
import { refuse } from './refusal.ts'
import { createTotals, dayIn, type ImportResult } from './totals.ts'
import type { Reader } from './xml.ts'

/** Column names in exports of Google Fit and Health Connect apps, in several languages. */
const NAMES = {
  day: [
    'date',
    'day',
    'datum',
    'fecha',
    'data',
    'start time',
    'start_time',
    'starttime',
    'start',
    'start date',
    'time',
  ],
  steps: [
    'step count',
    'steps',
    'step_count',
    'stepcount',
    'count',
    'schritte',
    'schrittzahl',
    'pasos',
    'passos',
    'pas',
  ],
  minutes: ['move minutes count', 'active minutes', 'exercise minutes', 'workout minutes', 'duration (min)', 'minutes'],
  device: ['source', 'app', 'data origin', 'data_origin', 'package name', 'device'],
} as const
const MILLISECONDS = /^(?!inactive|sleep|in vehicle).+ duration \(ms\)$/
const UNREADABLE_SHARE_MAX = 0.5

type Columns = { day: number; steps: number; minutes: number; device: number; milliseconds: number[]; count: number }

/** Reads a table with one row per day or shorter span. `dayOfFile` is the date in the file name, if any. */
export function table(header: string, dayOfFile: Day | undefined): Reader & { result(today: Day): ImportResult } {
  const separator = [',', ';', '\t'].find((candidate) => header.includes(candidate))
  if (!separator) return refuse(UNKNOWN)
  const totals = createTotals()
  let columns: Columns | undefined
  let source: ImportSource = 'health_connect'
  const rows = { read: 0, unreadable: 0 }

  function onRow(cells: string[], isLastCut: boolean): void {
    if (!columns) {
      const names = cells.map((cell) => cell.trim().toLowerCase())
      if (isLastCut) refuse('There are no days in this file. Nothing was imported.')
      columns = findColumns(names, dayOfFile)
      source = names.some((name) => /move minutes|heart points|duration \(ms\)/.test(name)) ? 'google_fit' : source
      return
    }
    rows.read++
    if (cells.length === columns.count) addRow(cells, columns)
    else if (isLastCut) refuse('This file is incomplete. Export it again and choose the new file.')
    else rows.unreadable++
  }

  function addRow(cells: string[], { day, steps, minutes, device, milliseconds }: Columns): void {
    const cellDay = dayIn(cells[day]?.trim()) ?? dayOfMs(cells[day]) ?? dayOfFile
    const ms = milliseconds.reduce((sum, at) => sum + numberIn(cells[at], separator), 0)
    const amounts = {
      steps: numberIn(cells[steps], separator),
      minutes: minutes >= 0 ? numberIn(cells[minutes], separator) : ms / 60_000,
    }
    if (!cellDay || Number.isNaN(amounts.steps) || Number.isNaN(amounts.minutes)) rows.unreadable++
    totals.add(cells[device] ?? '', cellDay, amounts)
  }

  const reader = createCsvReader(separator, onRow)
  return {
    write: reader.write,
    end: reader.end,
    result(today) {
      if (!columns || rows.read === 0) refuse('There are no days in this file. Nothing was imported.')
      if (rows.unreadable > rows.read * UNREADABLE_SHARE_MAX)
        refuse('Most lines in this file cannot be read. Dates must look like 2024-01-31. Nothing was imported.')
      return totals.result(source, today)
    },
  }
}

const UNKNOWN = 'This is not an Apple Health, Google Fit or Health Connect export, or a GPX track.'

function findColumns(names: string[], dayOfFile: Day | undefined): Columns {
  const find = (wanted: readonly string[]) => wanted.map((name) => names.indexOf(name)).find((at) => at >= 0) ?? -1
  const columns = {
    day: find(NAMES.day),
    steps: find(NAMES.steps),
    minutes: find(NAMES.minutes),
    device: find(NAMES.device),
    milliseconds: names.flatMap((name, at) => (MILLISECONDS.test(name) ? [at] : [])),
    count: names.length,
  }
  const hasAmount = columns.steps >= 0 || columns.minutes >= 0 || columns.milliseconds.length > 0
  if (!hasAmount) refuse(`${UNKNOWN} A table needs a column such as “Step count” or “Move Minutes count”.`)
  if (columns.day < 0 && !dayOfFile) refuse(`${UNKNOWN} A table needs a “Date” column.`)
  return columns
}

/** An empty cell is 0. Any other text that is not a number makes the line unreadable. */
function numberIn(cell: string | undefined, separator: string | undefined): number {
  const text = cell?.trim() ?? ''
  if (text === '') return 0
  const plain = separator === ',' ? text : text.replace(',', '.')
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
}

function dayOfMs(cell: string | undefined): Day | undefined {
  return /^1\d{12}$/.test(cell ?? '') ? dayIn(new Date(Number(cell)).toISOString()) : undefined
}
