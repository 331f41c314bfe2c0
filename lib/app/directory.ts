import { ldapDirectory } from '../adapters/ldap/directory.ts'
import type { Directory } from '../auth/directory.ts'
import { madeOf } from '../platform/current.ts'
import { remembered } from '../platform/remembered.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { directoryProtected, ldapSettings, strongPasswordDeployed } from '../platform/settings/ldap.ts'
import { secretConfig } from './secrets.ts'

/**
 * For Basic against the directory; a module of its own, so that a bundle loads the LDAP client only on use.
 * @throws ConfigError; ServiceError `UNAVAILABLE` when the secret cannot be read, which the next call tries again
 */
export const openDirectory = remembered(async (): Promise<Directory> => {
  const settings = { STAGE: edgeSettings.STAGE, ...ldapSettings }
  const config = await secretConfig('directory', settings, [directoryProtected, strongPasswordDeployed])
  const { LDAP_URL, LDAP_START_TLS, LDAP_CA, LDAP_BASE, LDAP_GROUP_ROLES } = config.current
  return ldapDirectory({
    url: LDAP_URL,
    startTls: LDAP_START_TLS === 'true',
    ca: LDAP_CA,
    service: madeOf(config, ({ LDAP_BIND_DN, LDAP_BIND_PASSWORD }) => ({
      dn: LDAP_BIND_DN,
      password: LDAP_BIND_PASSWORD,
    })),
    base: LDAP_BASE,
    groupRoles: LDAP_GROUP_ROLES,
  })
})
