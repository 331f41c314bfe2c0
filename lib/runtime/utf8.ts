import { Buffer, isUtf8 } from 'node:buffer'

/**
 * The text of bytes that are UTF-8, to the letter: undefined for others, and a byte order mark stays where it is.
 * @param from the first of those bytes
 * @param to the first behind them
 */
export function fromUtf8(bytes: Uint8Array, from = 0, to = bytes.length): string | undefined {
  const text = bufferOf(bytes).toString('utf8', from, to)
  // Bytes that are no UTF-8 are read as this; so is the character itself.
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to)) ? undefined : text
}

/** The same bytes, with what Node's buffers can do. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
