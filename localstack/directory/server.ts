import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import users from '../demo-users.json' with { type: 'json' }
import { DEMO_DIRECTORY } from './demo.ts'
import { serveDirectory } from './embedded.ts'
import { type Entry, parseLdif } from './ldif.ts'

/** A process of its own, because one malformed packet ends it: ldapjs fails outside of every handler. */
const [, , port = ''] = argv
const entries = parseLdif(readFileSync(join(import.meta.dirname, 'demo.ldif'), 'utf8'))

serveDirectory(entries.map(withPassword), Number(port), () => {})

function withPassword({ dn, attributes }: Entry): Entry {
  const user = users.find(({ store, username }) => store === 'ldap' && attributes['uid']?.includes(username))
  const password = dn === DEMO_DIRECTORY.LDAP_BIND_DN ? DEMO_DIRECTORY.LDAP_BIND_PASSWORD : user?.password
  return password === undefined ? { dn, attributes } : { dn, attributes: { ...attributes, userPassword: [password] } }
}
