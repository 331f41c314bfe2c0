import { PROFILES, type Profile } from '../../lib/auth/profile.ts'
import { usersOf } from '../../lib/http/pages/demo-users.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { edgeSettings } from '../../lib/runtime/settings/edge.ts'
import { webhookSecretSettings } from '../../lib/runtime/settings/signing-secrets.ts'
import { demoUsers } from '../demo-users.ts'
import { type ProviderAddresses, providerAddresses, providerUsers } from '../providers/embedded.ts'
import type { ServiceEndpoints } from './environment.ts'

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

/** What `npm start` shows when everything is up. */
export function screenOf(ready: Ready, log: string): string {
  const { http, ws, events, grpc, idp, ldap, dynamodb, sqs, data, users } = ready
  return `
Gatehouse is ready

  HTTP API     ${http}
  Faults       ${http}/lab
  STOMP        ${ws}
  Events       ${events}
  gRPC         ${grpc}
${ldap === null ? '' : `  Directory    ${ldap}\n`}${linesOf(idp)}  DynamoDB     ${dynamodb}
  SQS          ${sqs}
  Data         ${data}
  Log          ${log}
${users.length === 0 ? '' : `\nDemo users (local run only)\n\n${users.map(userLine).join('\n')}\n`}
Try

  curl ${http}/api/public/hello
${tryOf(ready)
  .map((line) => `  ${line}\n`)
  .join('')}  npm run send -- stripe payment_intent.succeeded

Ctrl-C stops

`
}

function linesOf(idp: Ready['idp']): string {
  const lines = Object.entries(idp ?? {}).map(([name, address]) => `  ${name.padEnd(11)}  ${address}\n`)
  return lines.join('')
}

function userLine({ username, password, role }: Ready['users'][number]): string {
  return `  ${username.padEnd(28)}  ${password.padEnd(15)}  ${role ?? 'no role: no token'}`
}

/** How to log in with the profile: commands to paste, and addresses for a browser. */
function tryOf({ profile, http, idp, users }: Ready): readonly string[] {
  const { bearer, basic } = PROFILES[profile]
  const admin = users.find(({ role, password }) => role === 'ROLE_ADMIN' && password !== '')
  const protectedPaths = ['/api/admin/secure', '/api/auth/info']
  const lines: string[] = []
  if (admin && bearer) {
    lines.push(
      `TOKEN=$(curl -s ${http}/api/auth/login -d username=${admin.username} -d password=${admin.password} | sed -n 's/.*"token":"\\([^"]*\\)".*/\\1/p')`,
      ...protectedPaths.map((path) => `curl -H "Authorization: Bearer $TOKEN" ${http}${path}`),
    )
  } else if (admin && basic) {
    const paths = [...protectedPaths, `/api/${admin.store}/users`]
    lines.push(...paths.map((path) => `curl -u ${admin.username}:${admin.password} ${http}${path}`))
  } else if (admin) {
    lines.push(`Open ${http}/login in a browser`)
  }
  return idp === null ? lines : [...lines, `Open ${http}/oauth2/authorization/google in a browser`]
}
