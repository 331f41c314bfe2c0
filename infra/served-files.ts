import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { referenceOf } from './reference/reference.ts'

interface ServedFile {
  readonly source: string
  readonly name: string
  /** Generates it from the text of its source. */
  readonly make: (text: string) => string
}

/** The file that a function serves from beside its code, by the folder of its bundle. */
const FILES: Readonly<Record<string, ServedFile>> = {
  'docs/openapi': { source: 'docs/openapi.json', name: 'openapi.json', make: (text) => text },
  'docs/page': { source: 'docs/openapi.json', name: 'reference.html', make: referenceOf },
}

/** Puts what a function serves into a folder, compressed. @param bundle the folder of its bundle in a build */
export function writeServed(bundle: string, folder: string): void {
  const file = FILES[bundle]
  if (file) writeFileSync(`${folder}/${file.name}.gz`, gzipSync(file.make(readFileSync(file.source, 'utf8'))))
}
