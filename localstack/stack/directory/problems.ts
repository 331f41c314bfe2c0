import { directoryWith } from '../../../lib/app/directory.ts'
import { ServiceError } from '../../../lib/errors.ts'
import { ConfigError, type Environment, loadConfig } from '../../../lib/runtime/config.ts'
import { ldapAccountSettings, ldapSettings } from '../../../lib/runtime/settings/ldap.ts'

/** What prevents logins with a directory, each in the form `NAME: rule`; empty if nothing does. */
export async function directoryProblems(given: Environment): Promise<readonly string[]> {
  try {
    const config = loadConfig({ ...ldapSettings, ...ldapAccountSettings }, [], given)
    await directoryWith(config, { current: config }).probe()
    return []
  } catch (error) {
    const cause = error instanceof ServiceError ? error.cause : error
    if (cause instanceof ConfigError) return cause.problems
    return [`LDAP_URL: the directory does not answer (${cause instanceof Error ? cause.message : 'no reason'})`]
  }
}
