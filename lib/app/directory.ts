import { ldapDirectory } from '../adapters/ldap/directory.ts'
import type { Directory } from '../auth/directory.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { directoryProtected, ldapSettings } from '../platform/settings/ldap.ts'

const config = loadConfig({ STAGE: edgeSettings.STAGE, ...ldapSettings }, [directoryProtected])

/** For Basic against the directory; a module of its own, so that a bundle loads the LDAP client only on use. */
export const directory: Directory = ldapDirectory({
  url: config.LDAP_URL,
  startTls: config.LDAP_START_TLS === 'true',
  ca: config.LDAP_CA,
  bindDn: config.LDAP_BIND_DN,
  bindPassword: config.LDAP_BIND_PASSWORD,
  base: config.LDAP_BASE,
  groupRoles: config.LDAP_GROUP_ROLES,
})
