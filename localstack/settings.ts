import { GIVEN } from '../infra/settings.ts'
import type { Destination } from '../lib/deliver/destination.ts'
import { deliverySecretsGiven } from '../lib/deliver/given-secrets.ts'
import {
  type Config,
  choice,
  type Environment,
  loadConfig,
  optional,
  parsed,
  text,
  whole,
  withDefault,
} from '../lib/runtime/config.ts'
import { directoryProtected } from '../lib/runtime/settings/ldap.ts'
import { oauth2Rules } from '../lib/runtime/settings/oauth2.ts'
import { secretsReadable } from '../lib/webhooks/readable-secrets.ts'
import type { Catalog } from '../lib/webhooks/sources/catalog.ts'
import { DEMO_DIRECTORY } from './stack/directory/entries.ts'
import { MAXIMUM_OFFSET } from './stack/ports.ts'

const endpoint = optional(
  parsed((text) => {
    if (URL.canParse(text) && /^https?:/.test(text)) return text
    throw new Error('must be an http or https address')
  }),
)

export const localSettings = {
  /** Moves every local port, so that several runs fit on one machine */
  PORT_OFFSET: withDefault(whole(0, MAXIMUM_OFFSET), 0),
  /** The address that a local run listens on: `0.0.0.0` in [a container](guide/ci.md) */
  LISTEN_HOST: withDefault(choice(['127.0.0.1', '0.0.0.0']), '127.0.0.1'),
  /** Where a local run keeps its data; `memory` keeps none */
  DATA_DIR: withDefault(text, '.data'),
  /** How many calls a local run has under way at a time; the others get 503, as when Lambda throttles */
  LOCAL_CONCURRENCY: withDefault(whole(1, 100_000), 256),
  /**
   * `true`: a local run has [the limits and habits of AWS](local-cloud.md#as-strict-as-aws), as `npm start --
   * --strict`
   */
  STRICT: withDefault(choice(['true', 'false']), 'false'),
  /** `ad`: the local directory has the schema of Active Directory, as it has with `LDAP_KIND=ad` */
  LDAP_DEMO: withDefault(choice(['openldap', 'ad']), 'openldap'),
  /** `java` runs DynamoDB Local instead */
  EMULATOR: withDefault(choice(['dynoxide', 'java']), 'dynoxide'),
  /** Another emulator, or AWS itself, in place of the embedded ones @default the embedded ones */
  AWS_ENDPOINT_URL: endpoint,
  /** The same for DynamoDB alone @default the embedded one */
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  /** The same for SQS alone @default the embedded one */
  AWS_ENDPOINT_URL_SQS: endpoint,
  /** The same for EventBridge alone @default none */
  AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint,
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
    { ...localSettings, ...GIVEN },
    [directoryProtected, secretsReadable(sources), ...deliveries, ...oauth2Rules],
    environment,
  )
}

/** An empty variable counts as unset. */
export function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value))
}
