import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import users from '../demo-users.json' with { type: 'json' }
import { DEMO_DIRECTORY } from './demo.ts'
import { type Entry, parseLdif } from './ldif.ts'

/** The demo directory with its passwords, which are kept with those of all demo users. */
export function demoEntries(): readonly Entry[] {
  return parseLdif(readFileSync(join(import.meta.dirname, 'demo.ldif'), 'utf8')).map(withPassword)
}

function withPassword({ dn, attributes }: Entry): Entry {
  const user = users.find(({ store, username }) => store === 'ldap' && attributes['uid']?.includes(username))
  const password = dn === DEMO_DIRECTORY.LDAP_BIND_DN ? DEMO_DIRECTORY.LDAP_BIND_PASSWORD : user?.password
  return password === undefined ? { dn, attributes } : { dn, attributes: { ...attributes, userPassword: [password] } }
}
