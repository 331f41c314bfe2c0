import { hkdfSync } from 'node:crypto'

/** A key of 32 bytes for one purpose, made of a secret (RFC 5869): none of them tells anything about another. */
export function derivedKey(secret: string | Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `gatehouse ${purpose}`, 32))
}
