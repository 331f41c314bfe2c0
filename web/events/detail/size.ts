import type { EventDetail } from '../record.ts'

type Sized = Pick<EventDetail, 'payload' | 'payloadEncoding' | 'payloadTruncated'>

/** The size of a payload in words; undefined once it is deleted. */
export function payloadSize({ payload, payloadEncoding, payloadTruncated }: Sized): string | undefined {
  if (payload === null) return undefined
  if (payloadTruncated) return 'more than 256 KiB'
  const bytes = payloadEncoding === 'utf8' ? new TextEncoder().encode(payload).length : atob(payload).length
  return byteSize(bytes)
}

/** "1,812 bytes", "256.0 KiB", "4.0 MiB". */
export function byteSize(bytes: number): string {
  if (bytes >= 1_048_576) return `${(bytes / 1_048_576).toFixed(1)} MiB`
  if (bytes >= 10_240) return `${(bytes / 1024).toFixed(1)} KiB`
  return bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en')} bytes`
}
