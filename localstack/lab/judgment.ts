import type { AnsweredCall, Credential } from './call.ts'

/** `unfinished` if the client has not reached the deciding point. */
export type ClientVerdict = 'passed' | 'failed' | 'not tried' | 'unfinished'

export interface Judgment {
  readonly verdict: ClientVerdict
  /** The reason, in one sentence. */
  readonly finding: string
}

/** Judges a client by its answered calls below one fault, at least one, in the order of their arrival. */
export type ReportRule = (calls: readonly AnsweredCall[]) => Judgment

export const asPassed = (finding: string): Judgment => ({ verdict: 'passed', finding })
export const asFailed = (finding: string): Judgment => ({ verdict: 'failed', finding })
export const asUnfinished = (finding: string): Judgment => ({ verdict: 'unfinished', finding })

/** Whether a call was sent after the client could have received an earlier answer. */
export function isAfter(call: AnsweredCall, earlier: AnsweredCall): boolean {
  return call !== earlier && call.at >= earlier.answer.at
}

/** Whether the service accepted the credentials of a call, whatever the rest of the answer says. */
export function isTaken({ answer: { status } }: AnsweredCall): boolean {
  return status !== 401 && status !== 429 && status < 500
}

export function isSameCredential(one: Credential, other: Credential): boolean {
  return one.digest !== undefined && one.digest === other.digest
}

/** `1 call`, `2 calls`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
