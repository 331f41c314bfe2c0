import { createHash } from 'node:crypto'

/** Pseudo-random decisions that depend only on a seed and their own names, not on the order of the calls. */
export interface Lots {
  /** From 0 (inclusive) to 1 (exclusive). */
  share(name: string): number
  /** A whole number, both bounds inclusive. */
  between(least: number, most: number, name: string): number
  pick<T>(choices: readonly [T, ...T[]], name: string): T
  uuid(name: string): string
  /** Lots with names of their own, independent of all others. */
  of(name: string): Lots
}

export function lots(seed: string): Lots {
  const digest = (name: string) => createHash('sha256').update(`${seed}/${name}`).digest()
  const share = (name: string) => digest(name).readUInt32BE() / 2 ** 32
  return {
    share,
    between: (least, most, name) => least + Math.floor(share(name) * (most - least + 1)),
    pick: (choices, name) => choices[Math.floor(share(name) * choices.length)] ?? choices[0],
    uuid: (name) => digest(name).toString('hex').replace(UUID, '$1-$2-4$3-8$4-$5').slice(0, 36),
    of: (name) => lots(`${seed}/${name}`),
  }
}

/** RFC 9562 section 5.4, from hexadecimal digits. */
const UUID = /^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/
