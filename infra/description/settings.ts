import { channelSettings } from '../../lib/runtime/settings/channels.ts'
import { consoleSettings } from '../../lib/runtime/settings/console.ts'
import { deliverySecretSettings } from '../../lib/runtime/settings/deliveries.ts'
import { edgeSettings } from '../../lib/runtime/settings/edge.ts'
import { ldapAccountSettings, ldapSettings } from '../../lib/runtime/settings/ldap.ts'
import { loginSettings } from '../../lib/runtime/settings/login.ts'
import { oauth2Settings } from '../../lib/runtime/settings/oauth2.ts'
import { passkeySettings } from '../../lib/runtime/settings/passkeys.ts'
import { permissionSettings } from '../../lib/runtime/settings/permissions.ts'
import { retrySettings } from '../../lib/runtime/settings/retry.ts'
import { secretSettings } from '../../lib/runtime/settings/secrets.ts'
import { sessionSettings } from '../../lib/runtime/settings/session.ts'
import type { Setting } from '../../lib/runtime/settings/setting.ts'
import * as stores from '../../lib/runtime/settings/stores.ts'
import { tokenSettings } from '../../lib/runtime/settings/token.ts'
import { webhookSecretSettings, webhookSettings } from '../../lib/runtime/settings/webhooks.ts'
import { localSettings } from '../../localstack/settings.ts'
import { code, table, withParts } from './markdown.ts'

/** Every setting of the functions, the channels and a local run. */
export const SETTINGS = {
  ...edgeSettings,
  ...tokenSettings,
  ...sessionSettings,
  ...loginSettings,
  ...passkeySettings,
  ...permissionSettings,
  ...ldapSettings,
  ...ldapAccountSettings,
  ...oauth2Settings,
  ...webhookSecretSettings,
  ...deliverySecretSettings,
  ...webhookSettings,
  ...secretSettings,
  ...retrySettings,
  ...consoleSettings,
  ...channelSettings,
  ...stores.usersStoreSettings,
  ...stores.sessionsStoreSettings,
  ...stores.countersStoreSettings,
  ...stores.eventsStoreSettings,
  ...stores.paymentsStoreSettings,
  ...stores.ordersStoreSettings,
  ...stores.replayStoreSettings,
  ...stores.refusalsStoreSettings,
  ...stores.keysStoreSettings,
  ...stores.passkeysStoreSettings,
  ...stores.auditStoreSettings,
  ...stores.deliveriesStoreSettings,
  ...stores.retryQueueSettings,
  ...stores.messagesStoreSettings,
  ...localSettings,
} as const

type Name = keyof typeof SETTINGS

/** The description of a setting, or of several that belong together. */
interface Told {
  readonly names: readonly [Name, ...Name[]]
  readonly meaning: string
  /** The default in Markdown, if it is not a plain value or a local run fills it in. */
  readonly fallback?: string
}

const LOCAL_DIRECTORY = 'the embedded directory'
const MADE = 'made at the first start'

/** The settings for operators, in the order of the page. */
export const TOLD: readonly Told[] = [
  { names: ['PROFILE'], meaning: 'which [credentials](api.md#profiles) are accepted' },
  {
    names: ['BASE_URL'],
    meaning:
      'where callers reach the service: scheme, host and port alone, as `https://gatehouse.example`; on a deployed stage https',
    fallback: 'the HTTP address',
  },
  {
    names: ['TRUSTED_ORIGINS'],
    meaning:
      'other origins whose pages may [call the service and read its answers](api.md#calls-from-pages-of-other-origins), as `https://app.example,http://localhost:5173`; on a deployed stage https or loopback',
  },
  {
    names: ['TRUSTED_PROXIES'],
    meaning:
      'IP addresses and CIDR ranges whose `X-Forwarded-For` says where a caller is; on a deployed stage none wider than /8, for IPv6 /7',
    fallback: 'none',
  },
  {
    names: ['JWT_KEYS'],
    meaning: '`kid:base64url,kid:base64url`, at least 64 bytes each; the first signs',
    fallback: MADE,
  },
  {
    names: ['AUDIT_DAYS'],
    meaning: 'the days that a row of the [audit trail](operations.md#the-audit-trail) is kept',
  },
  {
    names: ['SECRETS_PREFIX', 'SECRET_MAX_AGE_SECONDS'],
    meaning:
      'where deployed stages have their [secrets](rotation.md) in Secrets Manager, and how old one may be when used',
  },
  { names: ['JWT_LIFETIME_SECONDS'], meaning: 'how long a token is good' },
  {
    names: ['SESSION_IDLE_SECONDS', 'SESSION_MAX_SECONDS'],
    meaning: 'how long a session lives: since it was last used, and in all',
  },
  {
    names: [
      'LOGIN_FAILURES_PER_USER',
      'LOGIN_FAILURES_PER_ADDRESS',
      'LOGIN_FAILURES_PER_NAME',
      'LOGIN_FAILURE_WINDOW_SECONDS',
    ],
    meaning:
      'failed passwords within that time: for a name from one address; from one address; for a name from all addresses where it did not log in within 30 days; 0 sets no limit',
    fallback: '10, 100, 100, 300',
  },
  { names: ['BASIC_CACHE_SECONDS'], meaning: 'how long a right password is remembered; 0 not at all' },
  {
    names: ['PASSKEYS'],
    meaning: '`on`, `off`: whether accounts may have [passkeys](api.md#passkeys)',
    fallback: '`on` locally, else `off`',
  },
  {
    names: ['ROLE_PERMISSIONS'],
    meaning: 'JSON: role → resource type → `CREATE`, `READ`, `UPDATE`, `DELETE`',
    fallback: 'admins everything, users READ',
  },
  {
    names: ['LDAP_URL', 'LDAP_BIND_DN', 'LDAP_BIND_PASSWORD', 'LDAP_BASE'],
    meaning: 'the directory; off the local stage `ldaps:` or StartTLS',
    fallback: LOCAL_DIRECTORY,
  },
  {
    names: ['LDAP_START_TLS', 'LDAP_CA'],
    meaning: 'StartTLS on an `ldap:` address; certificates in PEM',
    fallback: "`false`, the system's",
  },
  {
    names: ['LDAP_GROUP_ROLES'],
    meaning: '`group=ROLE_ADMIN,group=ROLE_USER`',
    fallback: '`admins`, `administrators` and `users`',
  },
  {
    names: ['OAUTH2_GOOGLE_CLIENT_ID', 'OAUTH2_GITHUB_CLIENT_ID', 'OAUTH2_FACEBOOK_CLIENT_ID'],
    meaning: 'as registered there; a provider that has none is not offered',
    fallback: 'the embedded providers',
  },
  {
    names: ['OAUTH2_GOOGLE_CLIENT_SECRET', 'OAUTH2_GITHUB_CLIENT_SECRET', 'OAUTH2_FACEBOOK_CLIENT_SECRET'],
    meaning: 'one for each client id',
    fallback: 'theirs',
  },
  { names: ['OAUTH2_GOOGLE_ISSUER'], meaning: 'any OpenID Connect issuer' },
  {
    names: [
      'OAUTH2_GITHUB_AUTHORIZATION_URL',
      'OAUTH2_GITHUB_TOKEN_URL',
      'OAUTH2_GITHUB_API_URL',
      'OAUTH2_FACEBOOK_AUTHORIZATION_URL',
      'OAUTH2_FACEBOOK_TOKEN_URL',
      'OAUTH2_FACEBOOK_API_URL',
    ],
    meaning: 'another GitHub, another version of the Graph API',
    fallback: 'theirs',
  },
  { names: ['ADMIN_IDENTITIES'], meaning: 'users of providers who are admins: `provider:sub`, separated by commas' },
  {
    names: ['WEBHOOK_SECRETS'],
    meaning:
      'JSON: name → secret, or a list of secrets or `{"value","notBefore","notAfter","label"}`, or `{"sameAs":"<name>"}`, without which no two names may have one secret; a public key where the provider signs with a private one; the label stands in the [proof](webhooks.md#proof), `stripe#1` without one',
    fallback: MADE,
  },
  {
    names: ['DELIVERY_SECRETS'],
    meaning:
      'JSON of the same form: the name of an HTTP [destination](destinations.md) → what it is signed with (`whsec_` and base64; a list signs with all that are good), and the name in `secret(…)` → what stands in that header',
    fallback: MADE,
  },
  {
    names: ['WEBHOOK_SECURITY_ENABLED'],
    meaning: '`false`, on the local stage only, skips rate limit, signatures and timestamps',
  },
  {
    names: ['WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE'],
    meaning:
      'calls per client address and endpoint, unless a [source](sources.md) has a limit of its own; 0, on the local stage only, lets all through',
  },
  {
    names: ['WEBHOOK_PAYMENT_SIGNATURE'],
    meaning: 'whether a payment has to be signed; `optional` on the local stage only',
    fallback: '`optional` locally, else `required`',
  },
  {
    names: ['WEBHOOK_TOLERANCE_SECONDS'],
    meaning: 'how far the time of a call may be from now; on a deployed stage at most 3600',
    fallback: "each scheme's own",
  },
  { names: ['WEBHOOK_MAX_BODY_BYTES'], meaning: 'what is larger is answered with 413' },
  {
    names: ['WEBHOOK_RETRY_MAX_ATTEMPTS', 'WEBHOOK_RETRY_DELAY_MINUTES'],
    meaning:
      "how often a failed event is run again, and how long after receipt or an operator's order; fractions are fine",
  },
  { names: ['WEBHOOK_RETRY_SCAN_INTERVAL_MS'], meaning: 'between two scans for what no message woke up' },
  { names: ['STOMP_URL'], meaning: 'where browsers reach STOMP over WebSocket', fallback: 'the local one, else none' },
  {
    names: ['GRPC_URL'],
    meaning: 'where clients reach gRPC; the console shows it',
    fallback: 'the local one, else none',
  },
  { names: ['CHANNELS_HOST', 'GRPC_PORT', 'WS_PORT'], meaning: 'where the container of the channels listens' },
  {
    names: ['STOMP_CONNECTIONS', 'STOMP_CONNECTIONS_PER_USER', 'CHANNELS_ANONYMOUS', 'CHANNELS_ANONYMOUS_PER_ADDRESS'],
    meaning:
      'how many may be open: STOMP sessions and streams of events with a token, and [those without one](channels.md#without-a-token)',
  },
  {
    names: ['STOMP_HEART_BEAT_SECONDS'],
    meaning: 'the shortest interval of STOMP heartbeats in both directions, in seconds; from 1 to 60',
  },
  {
    names: ['STOMP_BODY_BYTES'],
    meaning: 'the largest body of a STOMP frame, and of a message over HTTP, from 1 KiB to 180,000 bytes',
  },
  {
    names: ['STOMP_FRAMES_PER_SECOND', 'STOMP_FRAME_BURST'],
    meaning: 'how many frames a STOMP session may send, and at once; from 1 to 10000',
  },
  {
    names: ['GRPC_CONNECTION_AGE_SECONDS'],
    meaning: 'after how many seconds a connection of gRPC takes no further call: [streams](channels.md#grpc)',
  },
  { names: ['DRAIN_SECONDS'], meaning: 'how long that container lets calls end before it goes' },
  { names: ['PORT_OFFSET'], meaning: 'moves every local port, so that several runs fit on one machine' },
  { names: ['DATA_DIR'], meaning: 'where a local run keeps its data; `memory` keeps none' },
  {
    names: ['LOCAL_CONCURRENCY'],
    meaning: 'how many calls a local run has under way at a time; the others get 503, as when Lambda throttles',
  },
  {
    names: ['STRICT'],
    meaning:
      '`true`: a local run has [the limits and habits of AWS](local-cloud.md#as-strict-as-aws), as `npm start -- --strict`',
  },
  { names: ['EMULATOR'], meaning: '`java` runs DynamoDB Local instead' },
  {
    names: ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL_SQS', 'AWS_ENDPOINT_URL_EVENTBRIDGE'],
    meaning: 'another emulator, or AWS itself, in place of the embedded ones',
    fallback: 'the embedded ones',
  },
]

/** Settings that the deployment or `npm start` fills in, never a person. */
export const FILLED_IN: readonly Name[] = [
  'STAGE',
  'USERS_TABLE',
  'SESSIONS_TABLE',
  'COUNTERS_TABLE',
  'EVENTS_TABLE',
  'PAYMENTS_TABLE',
  'ORDERS_TABLE',
  'REPLAYS_TABLE',
  'REFUSALS_TABLE',
  'KEYS_TABLE',
  'PASSKEYS_TABLE',
  'DELIVERIES_TABLE',
  'MESSAGES_TABLE',
  'AUDIT_TABLE',
  'RETRY_QUEUE_URL',
  'REPLAY_QUEUE_URL',
  'DEMO_USERS',
  'DEMO_TOKENS',
]

/** The effective value of a setting that is not given, in Markdown. */
function fallbackOf({ names, fallback }: Told): string {
  if (fallback !== undefined) return fallback
  return [...new Set(names.map((name) => written(SETTINGS[name])))].join(', ')
}

/** @throws Error for a default that needs a description of its own */
function written(setting: Setting<unknown>): string {
  if (!Object.hasOwn(setting, 'fallback')) throw new Error('a required setting needs a description of its default')
  const value = setting.fallback
  if (value === undefined) return 'none'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `\`${value}\``
  if (value instanceof URL) return `\`${value.origin}\``
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `\`${value.join(',')}\``
  throw new Error('a default that is not a plain value needs a description')
}

/** The page of the settings. */
export function settingsPage(): string {
  return withParts('docs/settings.md', { settings })
}

function settings(): string {
  const rows = TOLD.map((told) => [told.names.map(code).join(', '), fallbackOf(told), told.meaning])
  const filledIn = `Filled in by the deployment or by \`npm start\`, whose demo a deployed stage refuses: ${FILLED_IN.map(code).join(', ')}.`
  return `${table(['setting', 'default', 'meaning'], rows)}\n\n${filledIn}`
}
