import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Does the work, unless it was done for the very same files; the file `stamp` remembers which those were. */
export async function unlessUnchanged(
  files: readonly string[],
  stamp: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const digest = digestOf(files.toSorted())
  if (stampOf(stamp) === digest) return
  await work()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, digest)
}

function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function stampOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
