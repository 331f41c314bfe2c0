import { unavailable } from '../../errors.ts'
import { SlowClient } from '../../runtime/slow-client.ts'
import type { Timers } from '../../runtime/timers.ts'

/** A queue of items for a consumer that takes one at a time. */
export interface Backlog<T> {
  add(item: T): void
  /** @throws ServiceError `UNAVAILABLE` once too many items have waited */
  next(): T | undefined
  /** What has waited longest. */
  readonly oldest: T | undefined
  /** Settles when there is an item (false), when none arrived in that time (true), or on an abort. */
  isSilent(milliseconds: number): Promise<boolean>
}

export function createBacklog<T>(limit: number, timers: Timers, signal: AbortSignal): Backlog<T> {
  const waiting: T[] = []
  let isOverdue = false
  let wake: (isSilent: boolean) => void = () => {}
  signal.addEventListener('abort', () => wake(false), { once: true })

  return {
    add(item) {
      if (waiting.length < limit) waiting.push(item)
      else isOverdue = true
      wake(false)
    },
    next() {
      if (isOverdue) throw unavailable(new SlowClient('changes are taken too slowly'))
      return waiting.shift()
    },
    get oldest() {
      return waiting[0]
    },
    async isSilent(milliseconds) {
      if (waiting.length > 0 || signal.aborted) return false
      const { promise, resolve } = Promise.withResolvers<boolean>()
      wake = resolve
      const cancel = timers.after(milliseconds, () => resolve(true))
      const isSilent = await promise
      cancel()
      return isSilent
    },
  }
}
