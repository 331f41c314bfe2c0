import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'

/** PKWARE APPNOTE.TXT sections 4.3.7, 4.3.12 and 4.3.16: the signatures of the records that are read here. */
const END = Buffer.from('PK\x05\x06')
const LOCAL_HEADER_BYTES = 30
const ENTRY_BYTES = 46
const DEFLATED = 8

/** Unpacks a small zip, as Lambda does before it starts a function. */
export function unzip(file: string, folder: string): void {
  const zip = readFileSync(file)
  const end = zip.lastIndexOf(END)
  let entry = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const nameBytes = zip.readUInt16LE(entry + 28)
    const name = zip.toString('utf8', entry + ENTRY_BYTES, entry + ENTRY_BYTES + nameBytes)
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contentOf(zip, entry))
    entry += ENTRY_BYTES + nameBytes + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32)
  }
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const header = zip.readUInt32LE(entry + 42)
  const start = header + LOCAL_HEADER_BYTES + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const stored = zip.subarray(start, start + zip.readUInt32LE(entry + 20))
  return zip.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(stored) : stored
}
