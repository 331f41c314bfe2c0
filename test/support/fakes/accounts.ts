import type { Account, Accounts, PasswordHashes } from '../../../lib/auth/accounts.ts'

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
