import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chooseZipEntry, findZipDirectory, isZip, listZipEntries, ZIP_TAIL_BYTES, zipDataAt } from './zip.ts'

/** A standard ZIP: local headers with the data, then the directory, then the end record. */
function zip(files: Record<string, string>, comment = ''): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const data = deflateRawSync(text)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(8, 8)
    header.writeUInt16LE(name.length, 26)
    header.writeUInt16LE(3, 28)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    directory.push(entry, Buffer.from(name))
    parts.push(header, Buffer.from(name), Buffer.from('abc'), data)
    at += 30 + name.length + 3 + data.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, listed, end, Buffer.from(comment)])
}

function extract(file: Buffer): string {
  const { at, bytes } = findZipDirectory(file.subarray(-ZIP_TAIL_BYTES))
  const entry = chooseZipEntry(listZipEntries(file.subarray(at, at + bytes)))
  const from = zipDataAt(entry, file.subarray(entry.headerAt, entry.headerAt + 30))
  return inflateRawSync(file.subarray(from, from + entry.bytes)).toString()
}

test('finds the export among other files, with or without a comment at the end', () => {
  const files = {
    'apple_health_export/export_cda.xml': '<ClinicalDocument/>',
    'apple_health_export/workout-routes/a.gpx': '<gpx/>'.repeat(100),
    'apple_health_export/export.xml': '<HealthData/>',
  }
  expect(isZip(zip(files))).toBe(true)
  expect(extract(zip(files))).toBe('<HealthData/>')
  expect(extract(zip(files, 'made by a phone'))).toBe('<HealthData/>')
  expect(extract(zip({ 'Fit/2026-01-01.csv': 'x'.repeat(999), 'Fit/Daily activity metrics.csv': 'Date' }))).toBe('Date')
})

test('a ZIP that is truncated, damaged or contains no export is refused with a reason', () => {
  const file = zip({ 'export.xml': '<HealthData/>' })
  expect(() => extract(file.subarray(0, -30))).toThrow('damaged or incomplete')
  expect(() => listZipEntries(Buffer.alloc(64))).toThrow('damaged')
  expect(() => extract(zip({ 'photo.jpg': 'x' }))).toThrow('no health export')
  expect(() => zipDataAt({ name: '', method: 'stored', bytes: 1, headerAt: 0 }, Buffer.alloc(30))).toThrow('damaged')
})
