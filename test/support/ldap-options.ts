import type { LdapOptions } from '../../lib/adapters/ldap/search.ts'
import { type Environment, loadConfig } from '../../lib/runtime/config.ts'
import { ldapSchema, ldapSettings } from '../../lib/runtime/settings/ldap.ts'
import { recordingLog } from './fakes/log.ts'
import { BASE, SERVICE } from './people.ts'

/** A directory at an address, with the settings that are given. */
export function ldapOptions(url: string, given: Environment = {}) {
  const config = loadConfig(ldapSettings, [], { LDAP_BASE: BASE, ...given, LDAP_URL: url })
  return {
    url: config.LDAP_URL,
    startTls: false,
    ca: undefined,
    service: { current: SERVICE },
    base: config.LDAP_BASE,
    groupRoles: config.LDAP_GROUP_ROLES,
    schema: ldapSchema(config),
    log: recordingLog(),
  } satisfies LdapOptions
}
