import type { Day } from '../../../protocol/time.ts'
import { appleHealth } from './apple-health.ts'
import { gpx } from './gpx.ts'
import { refuse } from './refusal.ts'
import { table } from './table.ts'
import { dayIn, type ImportResult } from './totals.ts'
import { createXmlReader, type Reader, type XmlHandler } from './xml.ts'

/** Enough of the file to detect its format. */
const OPENING_CHARS = 16 * 1024

type Format = Reader & { result(today: Day): ImportResult }

/**
 * Reads an export file in chunks of any size and returns its daily totals. It returns nothing until the whole file is
 * read, so a truncated, invalid or malicious file changes nothing.
 */
export function createImportReader(fileName: string) {
  let opening = ''
  let format: Format | undefined

  function begin(): Format {
    const text = opening.replace(/^\uFEFF/, '')
    format = recognise(text, fileName)
    format.write(text)
    opening = ''
    return format
  }

  return {
    write(chunk: string): void {
      if (format) format.write(chunk)
      else {
        opening += chunk
        if (opening.length >= OPENING_CHARS) begin()
      }
    },
    end(today: Day): ImportResult {
      const whole = format ?? begin()
      whole.end()
      return whole.result(today)
    },
  }
}

function recognise(text: string, fileName: string): Format {
  const trimmed = text.trimStart()
  if (trimmed === '') refuse('This file is empty. Nothing was imported.')
  if (text.includes('\0')) refuse('This is not a text file. Nothing was imported.')
  if (/^[[{]/.test(trimmed)) refuse('This is a JSON file. Choose the CSV file from the same export.')
  if (trimmed.startsWith('<')) return xmlFormat()
  return table(trimmed.split(/[\r\n]/, 1)[0] ?? '', dayIn(fileName))
}

const UNKNOWN_XML = 'This is not an Apple Health export or a GPX track. Nothing was imported.'

function xmlFormat(): Format {
  const formats: Record<string, () => { handler: XmlHandler; result(today: Day): ImportResult }> = {
    HealthData: appleHealth,
    gpx,
  }
  let chosen: { handler: XmlHandler; result(today: Day): ImportResult } | undefined
  const reader = createXmlReader({
    open(name, attributes) {
      if (chosen) chosen.handler.open(name, attributes)
      else chosen = (Object.hasOwn(formats, name) ? formats[name]?.() : undefined) ?? refuse(UNKNOWN_XML)
    },
    close: (name) => chosen?.handler.close?.(name),
    text: (text) => chosen?.handler.text?.(text),
  })
  return {
    ...reader,
    result: (today) => chosen?.result(today) ?? refuse('This file is empty. Nothing was imported.'),
  }
}
