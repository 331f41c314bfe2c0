import { statSync } from 'node:fs'

/** What each file was like at one time; empty for a file that did not exist. */
export type Signatures = ReadonlyMap<string, string>

/** A save replaces a file (a new inode) or writes into it (a new time). */
export function signaturesOf(files: Iterable<string>): Signatures {
  return new Map([...files].map((file) => [file, signatureOf(file)]))
}

/** The files that are not what they were. */
export function changedSince(signatures: Signatures): readonly string[] {
  return [...signatures].flatMap(([file, signature]) => (signatureOf(file) === signature ? [] : [file]))
}

function signatureOf(file: string): string {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false })
  return status === undefined ? '' : `${status.ino} ${status.mtimeNs} ${status.size}`
}
