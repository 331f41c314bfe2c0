import { channelSettings } from '../lib/runtime/settings/channels.ts'
import { consoleSettings } from '../lib/runtime/settings/console.ts'
import { edgeSettings, originSettings, serviceSettings } from '../lib/runtime/settings/edge.ts'
import { ldapAccountSettings, ldapSettings } from '../lib/runtime/settings/ldap.ts'
import { loginSettings, passkeySettings, sessionSettings } from '../lib/runtime/settings/login.ts'
import { adminSettings, oauth2Settings } from '../lib/runtime/settings/oauth2.ts'
import { permissionSettings } from '../lib/runtime/settings/permissions.ts'
import { retrySettings } from '../lib/runtime/settings/retry.ts'
import { SECRETS } from '../lib/runtime/settings/secret-names.ts'
import { secretSettings } from '../lib/runtime/settings/secrets.ts'
import { deliverySecretSettings, webhookSecretSettings } from '../lib/runtime/settings/signing-secrets.ts'
import * as stores from '../lib/runtime/settings/stores.ts'
import { telemetrySettings } from '../lib/runtime/settings/telemetry.ts'
import { tokenSettings } from '../lib/runtime/settings/token.ts'
import { webhookSettings } from '../lib/runtime/settings/webhooks.ts'

/** What people give to functions and channels, in the order of docs/settings.md. */
export const GIVEN = {
  ...edgeSettings,
  ...originSettings,
  ...secretSettings,
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
  ...retrySettings,
  ...consoleSettings,
  ...channelSettings,
  ...telemetrySettings,
  AUDIT_DAYS: stores.auditStoreSettings.AUDIT_DAYS,
} as const

const storeNames = Object.values(stores).flatMap((group) => Object.keys(group))

/** The names of all settings of functions and channels. */
export const SETTINGS: readonly string[] = [...new Set([...Object.keys(GIVEN), ...storeNames.sort()])]

/** Those that the process of the channels reads. */
const CHANNELS = {
  ...edgeSettings,
  ...secretSettings,
  ...tokenSettings,
  ...sessionSettings,
  ...ldapSettings,
  ...channelSettings,
  ...telemetrySettings,
  ...stores.auditStoreSettings,
  ...stores.eventsStoreSettings,
  ...stores.keysStoreSettings,
  ...stores.messagesStoreSettings,
  ...stores.retryQueueSettings,
  ...stores.sessionsStoreSettings,
  ...stores.usersStoreSettings,
  ...adminSettings,
}

const DEMO: readonly string[] = ['DEMO_USERS', 'DEMO_TOKENS']

/** What is never in an environment of AWS: secrets, the demo of a local run, and what the image says. */
const NEVER: readonly string[] = [
  ...Object.values<readonly string[]>(SECRETS).flat(),
  ...DEMO,
  'CHANNELS_HOST',
  'GRPC_PORT',
  'WS_PORT',
  'DRAIN_SECONDS',
]

/** A variable of serverless.yml. */
const variable = (text: string) => `\${${text}}`

/** Where a template takes the values that no stage file gives. */
const TAKEN: Readonly<Record<string, string>> = {
  STAGE: variable('sls:stage'),
  SERVICE_NAME: variable('self:service'),
  BASE_URL: variable('param:baseUrl'),
  SECRETS_PREFIX: variable('param:secretsPrefix'),
  EDGE_SECRETS: variable(`self:custom.edgeSecrets.${variable('param:edgeEnabled')}`),
}

const isTable = (name: string) => name.endsWith('_TABLE')
const wordOf = (table: string) => table.replace('_TABLE', '').toLowerCase()
const isQueue = (name: string) => name.endsWith('_QUEUE_URL')

/** Whether the deployment or `npm start` gives the value, never a person. */
export function isFilledIn(name: string): boolean {
  return (
    Object.hasOwn({ ...serviceSettings, ...originSettings }, name) ||
    isTable(name) ||
    isQueue(name) ||
    DEMO.includes(name)
  )
}

const given = SETTINGS.filter((name) => !NEVER.includes(name))

/** The settings that a stage file may have. */
export const STAGE_SETTINGS: readonly string[] = given.filter((name) => !isFilledIn(name) && TAKEN[name] === undefined)

/** The names of the tables, by the words of their settings. */
export function tables(): Readonly<Record<string, string>> {
  const prefix = `${variable('self:service')}-${variable('sls:stage')}`
  return Object.fromEntries(given.filter(isTable).map((name) => [wordOf(name), `${prefix}-${wordOf(name)}`]))
}

/** The environment from which each function gets its part. */
export function functionEnvironment(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(given.map((name) => [name, placeOf(name)]))
}

/** The environment of the container, in the form of ECS. */
export function containerEnvironment(): readonly { readonly Name: string; readonly Value: unknown }[] {
  const names = Object.keys(CHANNELS).filter((name) => !NEVER.includes(name))
  const values = {
    ...Object.fromEntries(names.map((name) => [name, placeOf(name)])),
    ...Object.fromEntries(names.filter(isTable).map((name) => [name, { Ref: `${titled(wordOf(name))}Table` }])),
    AWS_REGION: { Ref: 'AWS::Region' },
    // Its load balancer; without it all clients would share the limits of one address.
    TRUSTED_PROXIES: variable('param:adapterProxies'),
    DRAIN_SECONDS: '30',
  }
  return Object.entries(values).map(([Name, Value]) => ({ Name, Value }))
}

function placeOf(name: string): unknown {
  if (isTable(name)) return variable(`self:custom.tables.${wordOf(name)}`)
  if (isQueue(name)) return { Ref: `${titled(name.replace('_QUEUE_URL', ''))}Queue` }
  return TAKEN[name] ?? variable(`param:${name}, ''`)
}

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
