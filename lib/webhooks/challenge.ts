import { invalid } from '../errors.ts'
import { valueAt } from './find.ts'
import { readText } from './schemes/encoding.ts'

const MAXIMUM_BYTES = 1024

/**
 * The text that a caller expects back.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function readChallenge(given: unknown, path: readonly string[]): string {
  if (typeof given !== 'string') throw invalid([{ path, message: 'must be a text' }])
  if (given === '') throw invalid([{ path, message: 'must not be empty' }])
  if (readText(given).length <= MAXIMUM_BYTES) return given
  throw invalid([{ path, message: `must be at most ${MAXIMUM_BYTES} bytes` }])
}

/** As {@link readChallenge}, for a value in a payload. */
export function challengeAt(payload: unknown, ...path: readonly string[]): string {
  return readChallenge(valueAt(payload, path), path)
}

export function challengeQuery(url: string): URLSearchParams {
  return new URLSearchParams(url.replace(/^[^?]*/, ''))
}
