import { randomUUID } from 'node:crypto'
import type { TrailAction } from '../contract/trail-actions.ts'
import { correlated, correlation } from '../runtime/correlation.ts'
import { actorOf, type Trail, type TrailEntry } from '../trail/entry.ts'
import { recordChange, recordReading } from '../trail/recorded.ts'
import { type CallContext, callerOf } from './call.ts'

/** What is recorded of a call, and what it was done to. */
interface Doing {
  readonly trail: Trail
  readonly call: CallContext
  readonly action: TrailAction
  readonly target: Readonly<Record<string, string>>
}

/**
 * Records a change before it is made. What the call leaves in the log and in the trail has one id.
 * @throws ServiceError `UNAVAILABLE` when it cannot be recorded; what the change throws
 */
export function changing<T>(doing: Doing, change: () => Promise<T>): Promise<T> {
  return identified(doing, (entry) => recordChange(doing.trail, entry, change))
}

/**
 * Records what is read before it is answered.
 * @throws ServiceError `UNAVAILABLE` when it cannot be recorded; what the reading throws
 */
export function reading<T>(doing: Doing, read: () => T | Promise<T>): Promise<T> {
  return identified(doing, (entry) => recordReading(doing.trail, entry, read))
}

function identified<T>({ call, action, target }: Doing, work: (entry: TrailEntry) => Promise<T>): Promise<T> {
  const ids = correlation()
  const requestId = ids.requestId ?? randomUUID()
  const entry = { action, ...actorOf(callerOf(call)), from: call.from(), requestId, target }
  return correlated({ ...ids, requestId }, () => work(entry))
}
