import type { Day } from '../../../protocol/time.ts'
import { createImportReader } from './reader.ts'
import { refuse } from './refusal.ts'
import type { ImportResult } from './totals.ts'
import {
  chooseZipEntry,
  findZipDirectory,
  isZip,
  listZipEntries,
  ZIP_HEADER_BYTES,
  ZIP_TAIL_BYTES,
  zipDataAt,
} from './zip.ts'

/** Guards against ZIP bombs. No health export is larger than this. */
const TEXT_BYTES_MAX = 4 * 1024 ** 3

/** Streams an export, zipped or not. Calls `onProgress` with the share of the file read so far. */
export async function readExportFile(
  file: File,
  today: Day,
  onProgress: (share: number) => void,
): Promise<ImportResult> {
  const { name, stream } = await openFile(file, onProgress)
  const reader = createImportReader(name)
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const piece of stream) {
    bytes += piece.byteLength
    if (bytes > TEXT_BYTES_MAX) refuse('This file unpacks to more than 4 GB. Nothing was imported.')
    reader.write(decoder.decode(piece, { stream: true }))
  }
  reader.write(decoder.decode())
  return reader.end(today)
}

type Bytes = Uint8Array<ArrayBuffer>

async function openFile(file: File, onProgress: (share: number) => void) {
  if (!isZip(await bytesOf(file, 0, 4))) return { name: file.name, stream: iterate(counted(file, onProgress)) }
  const tail = await bytesOf(file, Math.max(0, file.size - ZIP_TAIL_BYTES), file.size)
  const directory = findZipDirectory(tail)
  const listed = await bytesOf(file, directory.at, directory.at + directory.bytes)
  const entry = chooseZipEntry(listZipEntries(listed))
  const header = await bytesOf(file, entry.headerAt, entry.headerAt + ZIP_HEADER_BYTES)
  const from = zipDataAt(entry, header)
  const packed = counted(file.slice(from, from + entry.bytes), onProgress)
  const stream = entry.method === 'stored' ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'))
  return { name: entry.name.split('/').at(-1) ?? '', stream: unpacking(iterate(stream)) }
}

const bytesOf = async (file: Blob, from: number, to: number): Promise<Bytes> =>
  new Uint8Array(await file.slice(from, to).arrayBuffer())

function counted(blob: Blob, onProgress: (share: number) => void): ReadableStream<Bytes> {
  let read = 0
  const counter = new TransformStream<Bytes, Bytes>({
    transform(piece, controller) {
      read += piece.byteLength
      onProgress(blob.size === 0 ? 1 : read / blob.size)
      controller.enqueue(piece)
    },
  })
  return blob.stream().pipeThrough(counter)
}

// Not every browser supports async iteration of streams.
async function* iterate(stream: ReadableStream<Bytes>): AsyncGenerator<Bytes> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function* unpacking(pieces: AsyncGenerator<Bytes>): AsyncGenerator<Bytes> {
  try {
    yield* pieces
  } catch {
    refuse('This ZIP file is damaged or incomplete. Export it again and choose the new file.')
  }
}
