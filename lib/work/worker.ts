import { ServiceError } from '../errors.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'
import { type Hint, type HintQueue, named, sendOn } from './hints.ts'

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

/** A run that ended with an error that is no outage. */
export interface Erred {
  readonly kind: 'error'
  readonly cause: unknown
}

/**
 * What differs between the kinds of rows that have runs.
 * @typeParam H their hints, C a claim that was taken, R one that was refused, M what a run makes, O the outcomes
 */
export interface Work<
  H extends Hint,
  C extends { readonly kind: 'claimed' },
  R extends { readonly kind: 'refused' },
  M,
  O,
> {
  readonly queue: HintQueue<H>
  /** Longer than a run may take, in milliseconds. */
  readonly lease: number
  /** How often in a row an early hint is sent on; after that the scan finds the row. */
  readonly mostHops: number
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Claims a row, and charges the run. */
  claim(claim: H & Lease): Promise<C | R>
  /** Gives the attempt back. @param claimed undefined if the claim had no answer */
  release(claim: H & Lease, claimed: C | undefined): Promise<unknown>
  /** Makes a run. An outage gives the attempt back; any other error is its result. */
  run(claim: H & Lease, claimed: C): Promise<M>
  /** Ends a run, which is charged by now. */
  end(made: M | Erred, claim: H & Lease, claimed: C): Promise<O>
  /** Decides on a row whose claim was refused: when its hint is sent again, or what becomes of it. */
  refused(hint: H, refusal: R): Promise<Date | O>
}

/** The protocol of claims and leases (docs/decisions/0007-retry-protocol.md), the same for all kinds of rows. */
export function createWorker<
  H extends Hint,
  C extends { readonly kind: 'claimed' },
  R extends { readonly kind: 'refused' },
  M,
  O,
>(work: Work<H, C, R, M, O>) {
  const { clock, ids, log } = work

  /** Gives the attempt back if a step throws. If that write fails too, the lease expires, and the run counts. */
  async function orGivenBack<T>(step: Promise<T>, claim: H & Lease, claimed?: C): Promise<T> {
    try {
      return await step
    } catch (error) {
      await work.release(claim, claimed).catch((cause) => {
        log.warn('attempt not given back, its lease ends it', { ...named(claim), cause })
      })
      throw error
    }
  }

  function postpone(hint: H, until: Date): Promise<'postponed' | 'stopped'> {
    return sendOn(work.queue, hint, until.getTime() - clock.now().getTime(), work.mostHops)
  }

  /** Makes the run that a hint names, if it is still due. @throws ServiceError `UNAVAILABLE` */
  async function attempt(hint: H): Promise<O | 'postponed' | 'stopped'> {
    const now = clock.now()
    const claim = { ...hint, owner: ids.unique(), now, leaseUntil: new Date(now.getTime() + work.lease) }
    // A claim without an answer may have succeeded.
    const result = await orGivenBack(work.claim(claim), claim)
    if (result.kind === 'refused') {
      const next = await work.refused(hint, result)
      return next instanceof Date ? postpone(hint, next) : next
    }
    const made = await orGivenBack(work.run(claim, result).catch(ownError), claim, result)
    return work.end(made, claim, result)
  }

  return { attempt, postpone }
}

/** @throws an outage */
function ownError(cause: unknown): Erred {
  if (cause instanceof ServiceError && cause.is('UNAVAILABLE')) throw cause
  return { kind: 'error', cause }
}
