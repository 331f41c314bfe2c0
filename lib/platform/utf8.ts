const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of bytes that are UTF-8, to the letter: undefined for others, and a byte order mark stays where it is. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}
