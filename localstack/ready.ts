import type { Profile } from '../lib/auth/profile.ts'
import { usersOf } from '../lib/http/pages/demo-users.ts'
import { loadConfig } from '../lib/runtime/config.ts'
import { edgeSettings } from '../lib/runtime/settings/edge.ts'
import { webhookSecretSettings } from '../lib/runtime/settings/signing-secrets.ts'
import { demoUsers } from './demo-users.ts'
import type { ServiceEndpoints } from './environment.ts'
import { type ProviderAddresses, providerAddresses, providerUsers } from './providers/embedded.ts'

/** What a caller needs to know about a running service; null for parts that the profile does not start. */
export interface Ready {
  readonly event: 'ready'
  readonly profile: Profile
  readonly http: string
  readonly ws: string
  /** The stream of webhook events. */
  readonly events: string
  readonly grpc: string
  readonly idp: ProviderAddresses
  readonly ldap: string | null
  readonly dynamodb: string
  readonly sqs: string
  readonly data: string
  /** Those who can log in somewhere in the profile, users of the database first. */
  readonly users: readonly DemoUser[]
  readonly webhookSecrets: Readonly<Record<string, string>>
}

interface DemoUser {
  readonly username: string
  /** Empty for a user of a login provider, because its page asks for no password. */
  readonly password: string
  readonly role: string | null
  readonly store: string
}

interface Facts {
  readonly http: string
  readonly ws: string
  readonly events: string
  readonly grpc: string
  readonly endpoints: ServiceEndpoints
  readonly directory: string | null
  /** Whether this is the demo directory, with the demo users in it. */
  readonly isDirectoryOurs: boolean
  readonly data: string
  readonly environment: NodeJS.ProcessEnv
}

export function readyOf(facts: Facts): Ready {
  const { http, ws, events, grpc, endpoints, directory, isDirectoryOurs, data, environment } = facts
  const { PROFILE: profile } = loadConfig({ PROFILE: edgeSettings.PROFILE }, [], environment)
  return {
    event: 'ready',
    profile,
    http,
    ws,
    events,
    grpc,
    idp: providerAddresses(environment),
    ldap: directory,
    dynamodb: endpoints.dynamodb,
    sqs: endpoints.sqs,
    data,
    users: [...usersOf(profile, demoUsers(isDirectoryOurs)), ...providerUsers(environment)],
    webhookSecrets: firstSecrets(environment),
  }
}

/** The secret that each sender signs with: the first one of its name. */
function firstSecrets(environment: NodeJS.ProcessEnv): Record<string, string> {
  const { WEBHOOK_SECRETS } = loadConfig(webhookSecretSettings, [], environment)
  const entries = [...WEBHOOK_SECRETS].map(([name, secrets]) => [name, secrets[0]?.value ?? ''])
  return Object.fromEntries(entries)
}
