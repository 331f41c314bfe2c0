import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { digestOf, stampOf } from '../infra/digest.ts'

/** Whether the work was done for the same files; the file `stamp` holds their digest. */
export function isUnchanged(files: readonly string[], stamp: string): boolean {
  return stampOf(stamp) === digestOf(files)
}

/** Does the work, unless it was done for the same files. */
export async function unlessUnchanged(
  files: readonly string[],
  stamp: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (isUnchanged(files, stamp)) return
  const digest = digestOf(files)
  await work()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, digest)
}
