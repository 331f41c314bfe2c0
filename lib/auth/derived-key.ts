import { hkdfSync } from 'node:crypto'

/** Derives a key of 32 bytes for one purpose from a secret (RFC 5869). No key reveals another one, nor the secret. */
export function derivedKey(secret: string | Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `gatehouse ${purpose}`, 32))
}
