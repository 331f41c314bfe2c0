import { Buffer } from 'node:buffer'

declare const measured: unique symbol

/**
 * A caller's text whose length was measured before anything else was done to it. Unicode normalization takes time that
 * grows with the square of a run of combining marks, so only such a text may be normalized (auth-88).
 */
export type Bounded = string & { readonly [measured]: true }

/** In UTF-16 units. */
const NAME_UNITS = 256

/** In UTF-8, as sent. */
export const PASSWORD_BYTES = 1024

/** How large a JSON text may be, in bytes and in members of all its objects. */
export interface JsonBounds {
  readonly bytes: number
  readonly members: number
}

/** A login has a name and a password, or the answer of an authenticator. */
export const LOGIN_BODY: JsonBounds = { bytes: 16_384, members: 100 }

/** The name of a user; undefined for a text of more than 256 UTF-16 units, which is nobody's name. */
export function boundedName(text: string): Bounded | undefined {
  return text.length <= NAME_UNITS ? (text as Bounded) : undefined
}

/** A password; undefined for a text of more than 1,024 bytes, which is nobody's password. */
export function boundedPassword(text: string): Bounded | undefined {
  const isShort = text.length <= PASSWORD_BYTES && Buffer.byteLength(text) <= PASSWORD_BYTES
  return isShort ? (text as Bounded) : undefined
}

/** Unicode's NFC: two spellings of one text become equal. */
export function nfc(text: Bounded): string {
  return text.normalize('NFC')
}
