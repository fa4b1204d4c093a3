import { deflateRawSync } from 'node:zlib'

/** A ZIP with one file, like a phone's health export. */
export function zipOf(name: string, text: string): Buffer {
  const data = deflateRawSync(text)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(8, 8)
  header.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(entry.length + name.length, 12)
  end.writeUInt32LE(header.length + name.length + data.length, 16)
  return Buffer.concat([header, Buffer.from(name), data, entry, Buffer.from(name), end])
}
