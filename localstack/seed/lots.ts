import { createHash } from 'node:crypto'

/** Decisions that look random and follow from a seed and their own names alone, in whatever order they are asked for. */
export interface Lots {
  /** From 0 up to, not including, 1. */
  share(name: string): number
  /** A whole number, both ends included. */
  between(least: number, most: number, name: string): number
  pick<T>(choices: readonly [T, ...T[]], name: string): T
  uuid(name: string): string
  /** Lots whose names are told from all others. */
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

/** RFC 9562 section 5.4, out of hexadecimal digits. */
const UUID = /^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/
