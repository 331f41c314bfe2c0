import { PROFILES, type Profile } from './profiles.ts'

export interface Sentence {
  readonly text: string
  /** Where it holds: the column "Profile" of 4.1, and elsewhere the profiles that accept what the sentence is about. */
  readonly profiles: readonly Profile[]
}

/** A sentence of which nothing can be tested, and why. */
export interface Untestable {
  readonly text: string
  readonly reason: string
}

export const everywhere = (text: string): Sentence => ({ text, profiles: PROFILES })
export const within = (profiles: readonly Profile[], text: string): Sentence => ({ text, profiles })
export const untestable = (text: string, reason: string): Untestable => ({ text, reason })
