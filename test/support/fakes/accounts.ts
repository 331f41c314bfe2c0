import { argon2 } from 'node:crypto'
import { promisify } from 'node:util'
import type { Account, Accounts } from '../../../lib/auth/accounts.ts'
import { type PasswordHashes, passwordHashes } from '../../../lib/auth/password.ts'

export const DATABASE_ACCOUNT: Account = {
  username: 'Alice',
  roles: ['ROLE_USER'],
  authType: 'JDBC',
  principalType: 'DatabaseUser',
  uid: 'id-1',
}

export const DIRECTORY_ACCOUNT: Account = {
  username: 'carol',
  roles: ['ROLE_ADMIN'],
  authType: 'LDAP',
  principalType: 'DirectoryUser',
  uid: 'ldap:entry-1',
}

/** Passwords that are stored as they are, so that a check costs nothing. */
export const PLAIN_PASSWORDS: PasswordHashes = {
  hash: async (password) => password,
  check: async (password, stored) => (password === stored ? 'right' : 'wrong'),
}

export interface ListeningAccounts extends Accounts {
  /** Every name and password that was asked for. */
  readonly asked: (readonly [username: string, password: string])[]
}

/** Answers every question the same way, and remembers it. */
export function answering(outcome: Account | 'unknown' | 'refused' | Error): ListeningAccounts {
  const asked: (readonly [string, string])[] = []
  return {
    asked,
    async check(username, password) {
      asked.push([username, password])
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  }
}

/** What a check of a password may ask of argon2, whatever its outcome. */
export const FULL_COST = { algorithm: 'argon2id', memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Argon2, and what it was asked for: the cost of a check, without a stopwatch. */
export function countedArgon2(): PasswordHashes & { readonly asked: object[] } {
  const asked: object[] = []
  const hashes = passwordHashes((algorithm, parameters) => {
    const { memory, passes, parallelism, tagLength } = parameters
    asked.push({ algorithm, memory, passes, parallelism, tagLength })
    return promisify(argon2)(algorithm, parameters)
  })
  return { ...hashes, asked }
}
