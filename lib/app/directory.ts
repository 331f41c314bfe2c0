import { ldapDirectory } from '../adapters/ldap/directory.ts'
import type { Directory } from '../auth/directory.ts'
import { loadConfig } from '../platform/config.ts'
import { madeOf } from '../platform/current.ts'
import { remembered } from '../platform/remembered.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import {
  directoryProtected,
  ldapAccountSettings,
  ldapSettings,
  strongPasswordDeployed,
} from '../platform/settings/ldap.ts'
import { secretConfig } from './secrets.ts'

const config = loadConfig({ STAGE: edgeSettings.STAGE, ...ldapSettings }, [directoryProtected])
const accountSettings = { STAGE: edgeSettings.STAGE, ...ldapAccountSettings }

/**
 * For Basic against the directory; a module of its own, so that a bundle loads the LDAP client only on use. A secret that
 * cannot be read is read by the next call.
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export const openDirectory = remembered(async (): Promise<Directory> => {
  const account = await secretConfig('directory', accountSettings, [strongPasswordDeployed])
  return ldapDirectory({
    url: config.LDAP_URL,
    startTls: config.LDAP_START_TLS === 'true',
    ca: config.LDAP_CA,
    service: madeOf(account, ({ LDAP_BIND_DN: dn, LDAP_BIND_PASSWORD: password }) => ({ dn, password })),
    base: config.LDAP_BASE,
    groupRoles: config.LDAP_GROUP_ROLES,
  })
})
