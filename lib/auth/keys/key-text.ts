import { Buffer } from 'node:buffer'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The text of a key in its two parts. */
export interface KeyText {
  readonly id: string
  readonly secret: string
}

/** 63 bits as digits in base 36: the order of the texts is that of the numbers. */
const ID = /^[0-9a-z]{13}$/
const ID_LENGTH = 13

/** 32 bytes in base64url. */
const TEXT = /^ghk_([0-9a-z]{13})_([\w-]{43})$/

const SECRET_BYTES = 32

/** The id of a key, from an ordered one. */
export function keyIdOf(ordered: bigint): string {
  return ordered.toString(36).padStart(ID_LENGTH, '0')
}

export function isKeyId(text: string): boolean {
  return ID.test(text)
}

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export function keyTextOf({ id, secret }: KeyText): string {
  return `ghk_${id}_${secret}`
}

/** The parts of a key; undefined unless the text has exactly the form of a key. */
export function readKeyText(text: string): KeyText | undefined {
  const [, id, secret] = TEXT.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/** The stored hash of a secret. A secret of 256 random bits needs no slow hash: nobody can try them all. */
export function secretHashOf(secret: string): string {
  return hashOf(secret).toString('base64url')
}

/** Compares in constant time, which it also takes without a hash. */
export function isSecretOf(secret: string, secretHash: string | undefined): boolean {
  const kept = secretHash === undefined ? NO_HASH : Buffer.from(secretHash, 'base64url')
  return timingSafeEqual(hashOf(secret), kept) && secretHash !== undefined
}

const NO_HASH = Buffer.alloc(32)

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
