import { refuse } from './refusal.ts'

/** A file's position inside a ZIP. Only the directory is read, never the whole archive. */
export type ZipEntry = { name: string; method: 'stored' | 'deflated'; bytes: number; headerAt: number }

/** The 22-byte end record, and a comment of up to 64 KiB that may follow it. */
export const ZIP_TAIL_BYTES = 22 + 65_535
export const ZIP_HEADER_BYTES = 30
const [END_MARK, DIRECTORY_MARK, HEADER_MARK] = [0x06054b50, 0x02014b50, 0x04034b50]
const DIRECTORY_BYTES_MAX = 4 * 1024 * 1024
const TOO_LARGE = 0xffffffff

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const broken = (): never => refuse('This ZIP file is damaged or incomplete. Export it again and choose the new file.')

export const isZip = (opening: Uint8Array): boolean =>
  opening.length >= 4 && viewOf(opening).getUint32(0, true) === HEADER_MARK

/** Finds the directory from the last bytes of the file. */
export function findZipDirectory(tail: Uint8Array): { at: number; bytes: number } {
  const view = viewOf(tail)
  for (let at = tail.length - 22; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_MARK) continue
    const [bytes, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)]
    if (offset === TOO_LARGE) refuse('This ZIP file is larger than 4 GB. Unpack it and choose export.xml.')
    if (bytes > DIRECTORY_BYTES_MAX) refuse('This ZIP file contains too many files. Unpack it and choose one.')
    return { at: offset, bytes }
  }
  return broken()
}

export function listZipEntries(directory: Uint8Array): ZipEntry[] {
  const view = viewOf(directory)
  const entries: ZipEntry[] = []
  for (let at = 0; at + 46 <= directory.length; ) {
    if (view.getUint32(at, true) !== DIRECTORY_MARK) broken()
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true))
    const nameEnd = at + 46 + (nameBytes ?? 0)
    if (nameEnd > directory.length) broken()
    const name = String.fromCharCode(...directory.subarray(at + 46, nameEnd))
    const [isEncrypted, method] = [view.getUint16(at + 8, true) & 1, view.getUint16(at + 10, true)]
    const [bytes, headerAt] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
    if (!isEncrypted && (method === 0 || method === 8) && bytes !== TOO_LARGE)
      entries.push({ name, method: method === 0 ? 'stored' : 'deflated', bytes, headerAt })
    at = nameEnd + (extraBytes ?? 0) + (commentBytes ?? 0)
  }
  return entries
}

/** Prefers Apple Health's export, then Google Fit's daily metrics, then the largest table or track. */
export function chooseZipEntry(entries: readonly ZipEntry[]): ZipEntry {
  const apple = entries.find(({ name }) => /(^|\/)(export|Export)\.xml$/.test(name))
  const others = entries.filter(({ name }) => /\.(csv|gpx)$/i.test(name)).toSorted((a, b) => b.bytes - a.bytes)
  const daily = others.find(({ name }) => /daily activity metrics\.csv$/i.test(name))
  const entry = apple ?? daily ?? others[0]
  return entry ?? refuse('There is no health export in this ZIP file. Unpack it and choose the XML, CSV or GPX file.')
}

/** Where the entry's data begins, from its local header. */
export function zipDataAt(entry: ZipEntry, header: Uint8Array): number {
  if (header.length < ZIP_HEADER_BYTES || viewOf(header).getUint32(0, true) !== HEADER_MARK) broken()
  const [name, extra] = [viewOf(header).getUint16(26, true), viewOf(header).getUint16(28, true)]
  return entry.headerAt + ZIP_HEADER_BYTES + name + extra
}
