import { changedSince, type Signatures, signaturesOf } from './signatures.ts'

/** A value that was built from files. */
export interface Made<T> {
  readonly value: T
  readonly files: readonly string[]
}

/**
 * Makes something when it is first asked for, and again when it is asked for after one of its files has changed. Calls
 * at the same time share one run. After a failure every call tries again, unless the files are what they were before.
 * @param candidates the files that `make` may read: which of them it reads is known only after it has run
 */
export function keepCurrent<T>(candidates: () => readonly string[], make: () => Promise<Made<T>>): () => Promise<T> {
  let latest: { readonly value: T; readonly signatures: Signatures } | undefined
  let running: Promise<void> | undefined

  const isCurrent = () => latest !== undefined && changedSince(latest.signatures).length === 0

  /** Signatures are taken before the run, so that a file that changes during it counts as changed. */
  async function run(): Promise<void> {
    const before = signaturesOf([...candidates(), ...(latest?.signatures.keys() ?? [])])
    const { value, files } = await make()
    latest = { value, signatures: new Map(files.map((file) => [file, before.get(file) ?? ''])) }
  }

  return async function current(): Promise<T> {
    // A run that started before this call may have read older files.
    if (!isCurrent()) await running?.catch(() => {})
    if (!isCurrent()) {
      running ??= run().finally(() => {
        running = undefined
      })
      await running
    }
    if (latest === undefined) throw new Error('nothing was made')
    return latest.value
  }
}
