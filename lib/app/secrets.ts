import { type Config, ConfigError, environmentWith, loadConfig, type Rule, type Settings } from '../platform/config.ts'
import type { Current } from '../platform/current.ts'
import { settingsIn } from '../platform/secret-text.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { SECRETS, type SecretName } from '../platform/settings/secret-names.ts'
import { noSecretInEnvironment, secretSettings } from '../platform/settings/secrets.ts'
import { keeper } from './edge.ts'

const { SECRETS_PREFIX, SECRET_MAX_AGE_SECONDS } = loadConfig({ STAGE: edgeSettings.STAGE, ...secretSettings }, [
  noSecretInEnvironment,
])
// Loaded where there are secrets to read: signing a request and Node's TLS are most of a cold start.
const source = SECRETS_PREFIX === undefined ? undefined : (await import('./secret-source.ts')).secretSource()

/**
 * Settings of which some are in a secret: as they are now, and as they will be when it has been replaced.
 * @throws ConfigError naming all wrong settings together; ServiceError `UNAVAILABLE`
 */
export async function secretConfig<S extends Settings>(
  name: SecretName,
  settings: S,
  rules: readonly Rule<Config<S>>[] = [],
): Promise<Current<Config<S>>> {
  if (!source) return { current: loadConfig(settings, rules) }
  const id = `${SECRETS_PREFIX}/${name}`
  return keeper.keep({
    name: id,
    source,
    maximumAge: SECRET_MAX_AGE_SECONDS * 1000,
    understand(text = '{}') {
      const environment = environmentWith(settingsIn(text, id, SECRETS[name]))
      return naming(id, () => loadConfig(settings, rules, environment))
    },
  })
}

/** Says where to look for settings that are wrong. */
function naming<T>(secret: string, load: () => T): T {
  try {
    return load()
  } catch (error) {
    throw error instanceof ConfigError
      ? new ConfigError(error.problems, `Wrong settings, with the secret ${secret}`)
      : error
  }
}
