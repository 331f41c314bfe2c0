import { ServiceError } from '../errors.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'

/** The right to make one run: its owner may end the run until the lease expires. */
export interface Lease {
  readonly owner: string
  readonly now: Date
  readonly leaseUntil: Date
  /** The number of runs that the claim expects the row to have. */
  readonly n: number
}

/** What became of the write that ends a run: another worker may have taken the row over. */
export type Ending = { readonly kind: 'written' } | { readonly kind: 'lost' }

/** A new owner, whose lease begins now. @param milliseconds longer than a run may take */
export function leaseFor({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }, milliseconds: number) {
  const now = clock.now()
  return { owner: ids.unique(), now, leaseUntil: new Date(now.getTime() + milliseconds) }
}

/** Claims a row. A claim without an answer may have succeeded, so its attempt is given back. @throws what the claim throws */
export async function claimed<T>(claim: Promise<T>, giveBack: () => Promise<void>): Promise<T> {
  try {
    return await claim
  } catch (error) {
    await giveBack()
    throw error
  }
}

/**
 * Makes a run. A run that an outage ends does not count; any other error is its result.
 * @param failed the result of a run that ended with this error
 * @throws ServiceError `UNAVAILABLE`
 */
export async function tried<T>(
  run: Promise<T>,
  giveBack: () => Promise<void>,
  failed: (error: unknown) => T | Promise<T>,
): Promise<T> {
  try {
    return await run
  } catch (error) {
    if (!isOutage(error)) return failed(error)
    await giveBack()
    throw error
  }
}

/** Gives an attempt back. If this write fails too, the lease expires, and the run counts. */
export async function givenBack(release: Promise<unknown>, log: Log, row: object): Promise<void> {
  try {
    await release
  } catch (cause) {
    log.warn('attempt not given back, its lease ends it', { ...row, cause })
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof ServiceError && error.is('UNAVAILABLE')
}
