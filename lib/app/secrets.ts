import type { TokenKey } from '../auth/jwt.ts'
import type { DeliverySecrets } from '../deliver/http-headers.ts'
import { type Config, ConfigError, environmentWith, loadConfig, type Rule, type Settings } from '../runtime/config.ts'
import { type Current, derived, settingsIn } from '../runtime/secrets.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { SECRETS, type SecretName, secretKind } from '../runtime/settings/secret-names.ts'
import { noSecretInEnvironment, secretSettings } from '../runtime/settings/secrets.ts'
import { deliverySecretSettings } from '../runtime/settings/signing-secrets.ts'
import { strongKeysDeployed, tokenSettings } from '../runtime/settings/token.ts'
import { secretCache } from './edge.ts'

/**
 * Settings of which some are in a secret: their current values, and those after the secret was replaced.
 * @throws ConfigError naming all wrong settings together; ServiceError `UNAVAILABLE`
 */
export async function secretConfig<S extends Settings>(
  name: SecretName,
  settings: S,
  rules: readonly Rule<Config<S>>[],
): Promise<Current<Config<S>>> {
  const { SECRETS_PREFIX, SECRET_MAX_AGE_SECONDS } = loadConfig({ STAGE: edgeSettings.STAGE, ...secretSettings }, [
    noSecretInEnvironment,
  ])
  if (SECRETS_PREFIX === undefined) return { current: loadConfig(settings, rules) }
  // Loaded only if there are secrets to read: request signing and Node's TLS are most of a cold start.
  const { secretSource } = await import('./secret-source.ts')
  const id = `${SECRETS_PREFIX}/${name}`
  return secretCache().load({
    name: id,
    source: secretSource(),
    maximumAge: SECRET_MAX_AGE_SECONDS * 1000,
    parse(text = '{}') {
      const whole = environmentWith(settingsIn(text, id, SECRETS[secretKind(name)]))
      return naming(id, () => loadConfig(settings, rules, whole))
    },
  })
}

export type TokenKeys = Current<readonly TokenKey[]>

/** The key ring that signs tokens. @throws as {@link secretConfig} */
export async function tokenKeys(): Promise<TokenKeys> {
  const settings = { STAGE: edgeSettings.STAGE, JWT_KEYS: tokenSettings.JWT_KEYS }
  const config = await secretConfig('tokens', settings, [strongKeysDeployed])
  return derived(config, ({ JWT_KEYS }) => JWT_KEYS)
}

/** The present secrets of deliveries. @param name of the secret that holds them */
export async function deliverySecrets(
  name: SecretName,
  rules: readonly Rule<Config<typeof deliverySecretSettings>>[] = [],
): Promise<() => Promise<DeliverySecrets>> {
  const secrets = await secretConfig(name, { STAGE: edgeSettings.STAGE, ...deliverySecretSettings }, rules)
  return async () => {
    await secretCache().refresh()
    return secrets.current.DELIVERY_SECRETS
  }
}

/** Names the secret in errors about its settings. */
function naming<T>(secret: string, load: () => T): T {
  try {
    return load()
  } catch (error) {
    throw error instanceof ConfigError
      ? new ConfigError(error.problems, `Wrong settings, with the secret ${secret}`)
      : error
  }
}
