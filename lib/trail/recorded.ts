import { ServiceError } from '../errors.ts'
import type { Trail, TrailEntry } from './entry.ts'

/**
 * Records a change before it is made: a change that cannot be recorded does not happen. If the change is then refused
 * or fails, a second line records that.
 * @throws ServiceError `UNAVAILABLE` when it cannot be recorded; the error of the change
 */
export async function recordChange<T>(trail: Trail, entry: TrailEntry, change: () => T | Promise<T>): Promise<T> {
  await trail.record(entry)
  try {
    return await change()
  } catch (error) {
    // The change did not happen whether or not this can be written; the trail itself logs that it could not.
    await trail.record({ ...entry, outcome: outcomeOf(error) }).catch(() => undefined)
    throw error
  }
}

/**
 * Records a reading before its answer.
 * @throws ServiceError `UNAVAILABLE` when it cannot be recorded; the error of the reading, which is not recorded
 */
export async function recordReading<T>(trail: Trail, entry: TrailEntry, read: () => T | Promise<T>): Promise<T> {
  const result = await read()
  await trail.record(entry)
  return result
}

function outcomeOf(error: unknown): string {
  return error instanceof ServiceError ? error.code : 'UNEXPECTED'
}
