import type { Log } from '../runtime/log.ts'

/**
 * All that lets a caller in, with the mark on its account that ends it: what a login before that time made is over. A
 * kind that is added here does not compile without its column in test/contract/credential-ends.test.ts.
 */
export const CREDENTIALS = {
  session: 'validAfter',
  token: 'validAfter',
  ticket: 'validAfter',
  passkey: 'passkeysValidAfter',
  key: 'keysValidAfter',
} as const

export type Credential = keyof typeof CREDENTIALS

/** The marks of an account. */
export type Marks = { readonly [M in (typeof CREDENTIALS)[Credential]]?: Date | undefined }

export const EVERYTHING = Object.keys(CREDENTIALS) as readonly Credential[]

/** What lasts no longer than a login. */
export const LOGINS: readonly Credential[] = ['session', 'token', 'ticket']

/** The marks that end some credentials before a time; none is earlier than it was. */
export function marksEnding(kinds: readonly Credential[], at: Date, read: Marks): Marks {
  const later = (was: Date | undefined) => (was && was > at ? was : at)
  return Object.fromEntries(kinds.map((kind) => [CREDENTIALS[kind], later(read[CREDENTIALS[kind]])]))
}

/** Whether a credential has ended. @param loginAt the login that it is, or that made it */
export function isOver(kind: Credential, loginAt: Date, marks: Marks): boolean {
  const end = marks[CREDENTIALS[kind]]
  return end !== undefined && loginAt < end
}

/** Deletes the rows of credentials that have ended. It never rejects: the marks count, and a row that stays is logged. */
export type Forget = (uid: string, kinds: readonly Credential[], before: Date) => Promise<void>

type Remove = (uid: string, before: Date) => Promise<void>

/** @param rows of the kinds that would be listed */
export function createForget(rows: Readonly<Partial<Record<Credential, Remove>>>, log: Log): Forget {
  return async (uid, kinds, before) => {
    const removals = await Promise.allSettled(kinds.map((kind) => rows[kind]?.(uid, before)))
    for (const removal of removals) {
      if (removal.status === 'rejected')
        log.warn('a credential that has ended is still listed', { cause: removal.reason })
    }
  }
}
