import type { Buffer } from 'node:buffer'
import { ServiceError } from '../../errors.ts'
import { parseJson } from '../json.ts'
import { pick } from '../pick.ts'

/** For proofs that stand in the body. They are found there by a scan; the parsed body has to say the same. */

/** Undefined for a body that is no JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** Whether the parsed body says at these paths what the scan found. */
export function isSame(payload: unknown, paths: readonly (readonly string[])[], scanned: readonly string[]): boolean {
  return paths.every((path, index) => (pick(payload, path) ?? '') === scanned[index])
}
