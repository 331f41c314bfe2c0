import { Buffer, isUtf8 } from 'node:buffer'

/**
 * Decodes UTF-8 strictly: undefined for other bytes, and a byte order mark is kept.
 * @param from the first of those bytes
 * @param to the first behind them
 */
export function fromUtf8(bytes: Uint8Array, from = 0, to = bytes.length): string | undefined {
  const text = bufferOf(bytes).toString('utf8', from, to)
  // Bytes that are no UTF-8 decode to this character; so does the character itself.
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to)) ? undefined : text
}

/** The same bytes as a buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
