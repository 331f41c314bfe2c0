import { DEMO } from '../../lib/runtime/settings/strength.ts'

/** How the service finds its way into the demo directory, by setting; a local run's, hence no secret. */
export const DEMO_DIRECTORY = {
  LDAP_START_TLS: 'false',
  LDAP_BIND_DN: 'cn=gatehouse,ou=services,dc=springframework,dc=org',
  LDAP_BIND_PASSWORD: DEMO.bindPassword,
  LDAP_BASE: 'dc=springframework,dc=org',
} as const
