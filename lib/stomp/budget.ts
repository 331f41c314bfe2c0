/** What a kept message takes beside its texts and bytes. */
const OVERHEAD = 512

interface Keepable {
  readonly headers: Iterable<readonly [string, string]>
  readonly body: Uint8Array
}

/** Bytes that a kept message takes, or nearly so. */
export function sizeOf({ headers, body }: Keepable): number {
  let size = OVERHEAD + body.length
  for (const [name, value] of headers) size += name.length + value.length
  return size
}

/** Bytes that a session may have kept for it. */
export interface Budget {
  /** Whether there was room for so many. */
  take(bytes: number): boolean
  give(bytes: number): void
}

export function createBudget(limit: number): Budget {
  let taken = 0
  return {
    take(bytes) {
      const hasRoom = taken + bytes <= limit
      if (hasRoom) taken += bytes
      return hasRoom
    },
    give(bytes) {
      taken -= bytes
    },
  }
}
