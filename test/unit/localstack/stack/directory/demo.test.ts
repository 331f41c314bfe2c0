import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../../lib/runtime/config.ts'
import { ldapSettings } from '../../../../../lib/runtime/settings/ldap.ts'
import users from '../../../../../localstack/demo-users.json' with { type: 'json' }
import { DEMO_DIRECTORY, parseLdif } from '../../../../../localstack/stack/directory/entries.ts'

const entries = parseLdif(readFileSync('localstack/stack/directory/demo.ldif', 'utf8'))
const { LDAP_GROUP_ROLES } = loadConfig({ LDAP_GROUP_ROLES: ldapSettings.LDAP_GROUP_ROLES }, [], {})

describe('the demo directory', () => {
  it('contains exactly the demo users, each with the role of its group', () => {
    const people = entries.filter(({ attributes }) => attributes['uid'])
    const roles = people.map(({ dn, attributes }) => {
      const groups = entries.filter((entry) => entry.attributes['member']?.includes(dn))
      const role = groups.map((group) => LDAP_GROUP_ROLES.get(group.attributes['cn']?.[0] ?? ''))[0]
      return [attributes['uid']?.[0], role ?? null]
    })
    expect(roles).toEqual(users.filter(({ store }) => store === 'ldap').map(({ username, role }) => [username, role]))
  })

  it('knows the service account, and lists database users first', () => {
    expect(entries.map(({ dn }) => dn)).toContain(DEMO_DIRECTORY.LDAP_BIND_DN)
    expect(entries.map(({ dn }) => dn)).toContain(DEMO_DIRECTORY.LDAP_BASE)
    const stores = users.map(({ store }) => store)
    expect(stores).toEqual([...stores].sort())
  })
})
