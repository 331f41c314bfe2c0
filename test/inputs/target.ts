import { Buffer } from 'node:buffer'
import type { Random } from '../support/random.ts'

/** A parser of what strangers send. */
export interface Target {
  readonly name: string
  /** Inputs from which others are made: known good ones and near misses. */
  readonly seeds: readonly Buffer[]
  /** Pieces that mean something to it. */
  readonly dictionary?: readonly string[]
  /** Another input that is still nearly one, where changed bytes would rarely be. */
  readonly change?: (input: Buffer, random: Random) => Buffer
  /** How many inputs it gets, besides one of a usual target; less where each takes long. */
  readonly weight?: number
  /**
   * Feeds it.
   * @throws Error for whatever must not happen: a throw that no caller expects, or an answer that cannot be right
   */
  readonly run: (input: Buffer) => void | Promise<void>
}

export const bytesOf = (...texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text))

/** @throws Error when something that must hold does not */
export function hold(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what)
}
