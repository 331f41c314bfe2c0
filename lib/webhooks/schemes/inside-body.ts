import type { Buffer } from 'node:buffer'
import { ServiceError } from '../../errors.ts'
import { pick } from '../find.ts'
import { parseJson } from '../json.ts'

/** For proofs inside the body. A scan finds them there; the parsed body has to contain the same values. */

/** Undefined if the body is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** Whether the parsed body has the scanned values at these paths. */
export function isSame(payload: unknown, paths: readonly (readonly string[])[], scanned: readonly string[]): boolean {
  return paths.every((path, index) => (pick(payload, path) ?? '') === scanned[index])
}
