import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { Clock } from './time.ts'

/** Makes identifiers that do not repeat. */
export interface Ids {
  /** A positive number below 2^63; the order of the numbers is that of their creation, to the millisecond. */
  ordered(): bigint
  unique(): string
}

const RANDOM_BITS = 21

/** The highest possible id. */
export const LAST_ID = 2n ** 63n - 1n

/** The lowest id of a millisecond, or the nearest possible one. */
export function firstIdAt(milliseconds: number): bigint {
  const id = BigInt(milliseconds) * 2n ** BigInt(RANDOM_BITS)
  return id < 0n ? 0n : id > LAST_ID ? LAST_ID : id
}

/** The millisecond of an id. */
export function millisecondsOf(id: bigint): number {
  return Number(id >> BigInt(RANDOM_BITS))
}

/** An id of a millisecond that is almost certainly unique; the same name always has the same id. */
export function namedIdAt(milliseconds: number, name: string): bigint {
  const hash = createHash('sha256').update(name).digest().readUInt32BE()
  return firstIdAt(milliseconds) + BigInt(hash % 2 ** RANDOM_BITS)
}

/** Ids from the clock (42 bits of Unix milliseconds: good until the year 2109) and 21 random bits. */
export function clockIds(clock: Clock): Ids {
  return {
    ordered: () => (BigInt(clock.now().getTime()) << BigInt(RANDOM_BITS)) | BigInt(randomInt(2 ** RANDOM_BITS)),
    unique: () => randomUUID(),
  }
}
