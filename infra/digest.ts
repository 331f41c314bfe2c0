import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** One digest of the names and contents of files. */
export function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const content = readFileSync(file)
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** The digest stored in a file; undefined if there is no such file. */
export function stampOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
