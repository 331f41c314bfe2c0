import { ldapDirectory } from '../adapters/ldap/directory.ts'
import type { Directory } from '../auth/directory.ts'
import { memoizeAsync } from '../runtime/cache.ts'
import { type Config, loadConfig } from '../runtime/config.ts'
import { type Current, derived } from '../runtime/secrets.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import {
  directoryProtected,
  ldapAccountSettings,
  ldapSchema,
  ldapSettings,
  strongPasswordDeployed,
} from '../runtime/settings/ldap.ts'
import { log } from './edge.ts'
import { secretConfig } from './secrets.ts'

/**
 * The directory, the same at each call. It is a module of its own, so that a bundle loads the LDAP client only on use. If
 * reading the secret fails, the next call reads it again.
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export const openDirectory = memoizeAsync(connect)

async function connect(): Promise<Directory> {
  const { STAGE } = edgeSettings
  const config = loadConfig({ STAGE, ...ldapSettings }, [directoryProtected])
  const settings = { STAGE, ...ldapAccountSettings }
  return directoryWith(config, await secretConfig('directory', settings, [strongPasswordDeployed]))
}

/** The directory of these settings. */
export function directoryWith(
  config: Config<typeof ldapSettings>,
  account: Current<Config<typeof ldapAccountSettings>>,
) {
  return ldapDirectory({
    url: config.LDAP_URL,
    startTls: config.LDAP_START_TLS === 'true',
    ca: config.LDAP_CA,
    service: derived(account, ({ LDAP_BIND_DN: dn, LDAP_BIND_PASSWORD: password }) => ({ dn, password })),
    base: config.LDAP_BASE,
    groupRoles: config.LDAP_GROUP_ROLES,
    schema: ldapSchema(config),
    log,
  })
}
