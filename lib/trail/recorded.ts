import { ServiceError } from '../errors.ts'
import type { Trail, TrailEntry } from './entry.ts'

/**
 * Records a change before it is made: what cannot be recorded does not happen. If the change is then refused or fails, a
 * second line says so.
 * @throws ServiceError `UNAVAILABLE` when it cannot be recorded; what the change throws
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
 * Records what somebody reads before they have it.
 * @throws ServiceError `UNAVAILABLE` when it cannot be recorded; what the reading throws, which is not recorded
 */
export async function recordReading<T>(trail: Trail, entry: TrailEntry, read: () => T | Promise<T>): Promise<T> {
  const result = await read()
  await trail.record(entry)
  return result
}

function outcomeOf(error: unknown): string {
  return error instanceof ServiceError ? error.code : 'UNEXPECTED'
}
