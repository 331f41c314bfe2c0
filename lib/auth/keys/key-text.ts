import { Buffer } from 'node:buffer'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The text of a key in its two parts. */
export interface KeyText {
  readonly id: string
  readonly secret: string
}

/** 63 bits in digits to the base of 36, so that the order of the texts is that of the numbers. */
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

/** The parts of a key; undefined for a text that is none, to the letter. */
export function readKeyText(text: string): KeyText | undefined {
  const [, id, secret] = TEXT.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/** What is kept of a secret. One of 256 random bits wants no slow hash: nobody can try them out. */
export function secretHashOf(secret: string): string {
  return hashOf(secret).toString('base64url')
}

/** Compares in constant time, and takes that time without a hash, too. */
export function isSecretOf(secret: string, secretHash: string | undefined): boolean {
  const kept = secretHash === undefined ? NO_HASH : Buffer.from(secretHash, 'base64url')
  return timingSafeEqual(hashOf(secret), kept) && secretHash !== undefined
}

const NO_HASH = Buffer.alloc(32)

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
