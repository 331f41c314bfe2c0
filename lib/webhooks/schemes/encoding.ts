import { Buffer } from 'node:buffer'

/** The UTF-8 bytes of a text. */
export function readText(text: string): Buffer {
  return Buffer.from(text)
}

/** The bytes of lowercase hexadecimal; undefined for any other spelling. */
export function readHex(text: string): Buffer | undefined {
  return /^(?:[0-9a-f]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined
}

/** The bytes of base64, canonical except for its padding, which some senders leave out (RFC 4648, sections 3.2 and 4). */
export function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  const whole = bytes.toString('base64')
  return bytes.length > 0 && (text === whole || text === whole.replace(/=+$/, '')) ? bytes : undefined
}

/** The bytes of unpadded base64url in its one canonical spelling (RFC 7515, section 2). */
export function readBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length > 0 && bytes.toString('base64url') === text ? bytes : undefined
}

/** Milliseconds since the epoch, from seconds since the epoch. */
export function readSeconds(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) * 1000 : undefined
}

/**
 * As {@link readSeconds}, with a fixed width: where no separator stands between time and body, no digit can move from
 * one to the other.
 */
export function readTenDigits(text: string): number | undefined {
  return text.length === 10 ? readSeconds(text) : undefined
}

/** Milliseconds since the epoch, from milliseconds since the epoch. */
export function readMilliseconds(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Milliseconds since the epoch, from a UTC date-time of RFC 3339. */
export function readInstant(text: string): number | undefined {
  const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
