import { ldapDirectory } from '../adapters/ldap/directory.ts'
import type { Directory } from '../auth/directory.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { derived } from '../runtime/current.ts'
import { memoizeAsync } from '../runtime/memoize-async.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import {
  directoryProtected,
  ldapAccountSettings,
  ldapSettings,
  strongPasswordDeployed,
} from '../runtime/settings/ldap.ts'
import { secretConfig } from './secrets.ts'

interface Opened {
  readonly environment: Environment | undefined
  readonly directory: () => Promise<Directory>
}

let opened: Opened | undefined

/**
 * The directory of an environment, the same at each call. It is a module of its own, so that a bundle loads the LDAP
 * client only on use. If reading the secret fails, the next call reads it again.
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export function openDirectory(environment?: Environment): Promise<Directory> {
  if (opened === undefined || opened.environment !== environment) {
    opened = { environment, directory: memoizeAsync(() => connect(environment)) }
  }
  return opened.directory()
}

async function connect(environment?: Environment): Promise<Directory> {
  const { STAGE } = edgeSettings
  const config = loadConfig({ STAGE, ...ldapSettings }, [directoryProtected], environment)
  const settings = { STAGE, ...ldapAccountSettings }
  const account = await secretConfig('directory', settings, [strongPasswordDeployed], environment)
  return ldapDirectory({
    url: config.LDAP_URL,
    startTls: config.LDAP_START_TLS === 'true',
    ca: config.LDAP_CA,
    service: derived(account, ({ LDAP_BIND_DN: dn, LDAP_BIND_PASSWORD: password }) => ({ dn, password })),
    base: config.LDAP_BASE,
    groupRoles: config.LDAP_GROUP_ROLES,
  })
}
