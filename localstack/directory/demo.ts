import { DEMO } from '../../lib/runtime/settings/strength.ts'

/** The settings with which the service reaches the demo directory. They belong to a local run, so none is secret. */
export const DEMO_DIRECTORY = {
  LDAP_START_TLS: 'false',
  LDAP_BIND_DN: 'cn=gatehouse,ou=services,dc=springframework,dc=org',
  LDAP_BIND_PASSWORD: DEMO.bindPassword,
  LDAP_BASE: 'dc=springframework,dc=org',
} as const
