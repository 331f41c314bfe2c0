/**
 * The id of an account. No other account ever gets it, even if the name does: a UUID in the database, `ldap:` and the
 * entryUUID of an entry of the directory, `provider:subject` at an identity provider.
 */
export type AccountStore = 'database' | 'directory' | 'provider'

const PREFIX = 'ldap:'

export function directoryUid(entryUuid: string): string {
  return `${PREFIX}${entryUuid}`
}

/** The entryUUID of an account of the directory. */
export function entryUuidIn(uid: string): string {
  return uid.slice(PREFIX.length)
}

export function storeOf(uid: string): AccountStore {
  if (uid.startsWith(PREFIX)) return 'directory'
  return uid.includes(':') ? 'provider' : 'database'
}

/** The rows that make names unique have ids of another form. */
export function isDatabaseUid(uid: string): boolean {
  return storeOf(uid) === 'database' && !uid.includes('#')
}

const FORMS: Readonly<Record<AccountStore, RegExp>> = {
  database: /^[^#]{1,64}$/,
  directory: /^ldap:[\w-]{1,64}$/,
  provider: /^(?:google|github|facebook):[^\p{Cc}\p{Cs}]{1,255}$/u,
}

/** Whether an account may have such an id. */
export function isAccountId(text: string): boolean {
  return FORMS[storeOf(text)].test(text)
}
