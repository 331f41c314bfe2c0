import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { digestOf, stampOf } from '../infra/digest.ts'

/** Does the work, unless it was done for the same files; the file `stamp` holds their digest. */
export async function unlessUnchanged(
  files: readonly string[],
  stamp: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const digest = digestOf(files)
  if (stampOf(stamp) === digest) return
  await work()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, digest)
}
