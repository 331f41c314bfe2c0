import { hkdfSync } from 'node:crypto'
import { type Current, derived } from '../runtime/current.ts'
import type { TokenKey } from './signing-key.ts'

/**
 * A key of 32 bytes for one purpose, from the secret that signs tokens (RFC 5869): none of them tells anything about
 * another.
 */
export function derivedKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `gatehouse ${purpose}`, 32))
}

/** A ring for one purpose, made of the one that signs tokens. */
export function derivedKeys(ring: Current<readonly TokenKey[]>, purpose: string): Current<readonly Buffer[]> {
  return derived(ring, (keys) => keys.map(({ secret }) => derivedKey(secret, purpose)))
}
