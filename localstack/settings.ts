import type { Destination } from '../lib/deliver/destination.ts'
import { deliverySecretsGiven } from '../lib/deliver/given-secrets.ts'
import { type Config, type Environment, loadConfig } from '../lib/runtime/config.ts'
import { channelSettings } from '../lib/runtime/settings/channels.ts'
import { consoleSettings } from '../lib/runtime/settings/console.ts'
import { deliverySecretSettings } from '../lib/runtime/settings/deliveries.ts'
import { edgeSettings } from '../lib/runtime/settings/edge.ts'
import { directoryProtected, ldapAccountSettings, ldapSettings } from '../lib/runtime/settings/ldap.ts'
import { loginSettings } from '../lib/runtime/settings/login.ts'
import { oauth2Rules, oauth2Settings } from '../lib/runtime/settings/oauth2.ts'
import { passkeySettings } from '../lib/runtime/settings/passkeys.ts'
import { permissionSettings } from '../lib/runtime/settings/permissions.ts'
import { retrySettings } from '../lib/runtime/settings/retry.ts'
import { sessionSettings } from '../lib/runtime/settings/session.ts'
import { tokenSettings } from '../lib/runtime/settings/token.ts'
import { choice, optional, parsed, text, whole, withDefault } from '../lib/runtime/settings/values.ts'
import { webhookSecretSettings, webhookSettings } from '../lib/runtime/settings/webhooks.ts'
import { secretsReadable } from '../lib/webhooks/readable-secrets.ts'
import type { Catalog } from '../lib/webhooks/sources/catalog.ts'
import { DEMO_DIRECTORY } from './directory/demo.ts'
import { MAXIMUM_OFFSET } from './ports.ts'

const endpoint = optional(
  parsed((text) => {
    if (URL.canParse(text) && /^https?:/.test(text)) return text
    throw new Error('must be an http or https address')
  }),
)

export const localSettings = {
  PORT_OFFSET: withDefault(whole(0, MAXIMUM_OFFSET), 0),
  DATA_DIR: withDefault(text, '.data'),
  LOCAL_CONCURRENCY: withDefault(whole(1, 100_000), 256),
  STRICT: withDefault(choice(['true', 'false']), 'false'),
  EMULATOR: withDefault(choice(['dynoxide', 'java']), 'dynoxide'),
  AWS_ENDPOINT_URL: endpoint,
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_ENDPOINT_URL_SQS: endpoint,
  AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint,
}

const everySetting = {
  ...localSettings,
  ...edgeSettings,
  ...channelSettings,
  ...consoleSettings,
  ...tokenSettings,
  ...loginSettings,
  ...sessionSettings,
  ...passkeySettings,
  ...permissionSettings,
  ...webhookSecretSettings,
  ...deliverySecretSettings,
  ...webhookSettings,
  ...retrySettings,
  ...ldapSettings,
  ...ldapAccountSettings,
  ...oauth2Settings,
}

export type RunSettings = Config<typeof localSettings>

/** Settings that a local run fills in count as given: an address, and keys that it has made or will make. */
const FILLED_IN = { BASE_URL: 'http://127.0.0.1', JWT_KEYS: `local:${'A'.repeat(86)}` }

/**
 * Validates every setting of the product before anything is started.
 * @throws ConfigError naming all wrong settings together
 */
export function readSettings(
  given: Environment,
  sources: Catalog,
  destinations: readonly Destination[] = [],
): RunSettings {
  const directory = given['LDAP_URL'] ? {} : { ...DEMO_DIRECTORY, LDAP_URL: 'ldap://127.0.0.1' }
  const environment = { ...FILLED_IN, ...withoutEmpty(given), ...directory, STAGE: 'local' }
  // Those of a local run are made at its start unless they are given.
  const deliveries = given['DELIVERY_SECRETS'] ? [deliverySecretsGiven(destinations)] : []
  return loadConfig(
    everySetting,
    [directoryProtected, secretsReadable(sources), ...deliveries, ...oauth2Rules],
    environment,
  )
}

/** An empty variable counts as unset. */
export function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value))
}
