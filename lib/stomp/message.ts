import type { BusMessage } from '../messages/bus.ts'
import { encode, frame, withFirst } from './codec/frame.ts'
import type { Version } from './codec/versions.ts'

interface Encoded {
  readonly message: BusMessage
  readonly bytes: Uint8Array
}

/** Receivers get a message one after the other: their common part is encoded once, and the last encoding is cached. */
const last = new Map<Version, Encoded>()

/** The bytes of a MESSAGE with the headers that are one receiver's own. */
export function messageBytes(
  message: BusMessage,
  own: Readonly<Record<string, string | undefined>>,
  version: Version,
): Uint8Array {
  const known = last.get(version)
  const encoded = known?.message === message ? known : encodedOf(message, version)
  return withFirst('MESSAGE', own, encoded.bytes, version)
}

function encodedOf(message: BusMessage, version: Version): Encoded {
  const { destination, headers, body } = message
  const encoded = { message, bytes: encode(frame('MESSAGE', { ...headers, destination }, body), version) }
  last.set(version, encoded)
  return encoded
}
