import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import type { TokenKey } from '../../../lib/auth/jwt.ts'

export const FIRST_KEY: TokenKey = { kid: 'first', secret: new Uint8Array(64).fill(1) }
export const SECOND_KEY: TokenKey = { kid: 'second', secret: new Uint8Array(64).fill(2) }
export const FOREIGN_KEY: TokenKey = { kid: 'foreign', secret: new Uint8Array(64).fill(3) }

export const HEADER = { alg: 'HS512' }

/** The part of a token that holds some JSON, or any bytes. */
export function part(content: string | Uint8Array | object): string {
  if (content instanceof Uint8Array) return Buffer.from(content).toString('base64url')
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url')
}

/** Signs whatever the two parts are, with no library in between. */
export function signParts(header: string, payload: string, { secret }: TokenKey = FIRST_KEY, hash = 'sha512'): string {
  const signature = createHmac(hash, secret).update(`${header}.${payload}`).digest('base64url')
  return `${header}.${payload}.${signature}`
}

export function signToken(payload: string | object, header: string | object = HEADER, key = FIRST_KEY): string {
  return signParts(part(header), part(payload), key)
}
