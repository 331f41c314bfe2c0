import { Buffer } from 'node:buffer'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { PROFILES } from '../../lib/auth/profile.ts'
import { usersOf } from '../../lib/http/pages/demo-users.ts'
import { type Environment, loadConfig } from '../../lib/runtime/config.ts'
import { edgeSettings } from '../../lib/runtime/settings/edge.ts'
import { deliverySecretSettings, webhookSecretSettings } from '../../lib/runtime/settings/signing-secrets.ts'
import { tokenSettings } from '../../lib/runtime/settings/token.ts'
import { demoUsers } from '../demo-users.ts'
import { StartError } from '../errors.ts'
import { providerAddresses, providerUsers } from '../providers/embedded.ts'
import { directoryOf, endpointsOf, httpAddress, isDirectoryEmulated, stompAddress } from './environment.ts'
import { CALLED, type Ports } from './ports.ts'

/** What a caller needs to know about a running service. */
export type Ready = Readonly<ReturnType<typeof readyOf>>

/**
 * @param given the settings of this run
 * @param environment that of the functions
 * @param data the data folder
 */
export function readyOf(given: Environment, environment: Environment, ports: Ports, data: string) {
  const { PROFILE, JWT_KEYS } = { ...edgeSettings, ...tokenSettings }
  const settings = { PROFILE, JWT_KEYS, ...webhookSecretSettings, ...deliverySecretSettings }
  const config = loadConfig(settings, [], environment)
  const { PROFILE: profile, WEBHOOK_SECRETS: secrets, DELIVERY_SECRETS: deliveries, JWT_KEYS: keys } = config
  const { dynamodb, sqs } = endpointsOf(given, ports)
  return {
    event: 'ready' as const,
    profile,
    http: httpAddress(ports.http),
    ws: stompAddress(ports.ws),
    /** The stream of webhook events. */
    events: `${httpAddress(ports.ws)}/api/webhooks/stream`,
    grpc: `${CALLED}:${ports.grpc}`,
    /** Null in a profile without it, as the directory. */
    idp: providerAddresses(environment),
    ldap: directoryOf(given, ports),
    dynamodb,
    sqs,
    data,
    /** Those who can log in somewhere in the profile, users of the database first. */
    users: [...usersOf(profile, demoUsers(isDirectoryEmulated(given))), ...providerUsers(environment)],
    /** The secret that each sender signs with: the first one of its name. */
    webhookSecrets: firstValues(secrets),
    /** What deliveries are signed with, in the same way. */
    deliverySecrets: firstValues(deliveries),
    /** By key id, in base64url; the first one signs. */
    jwtKeys: Object.fromEntries(keys.map(({ kid, secret }) => [kid, Buffer.from(secret).toString('base64url')])),
  }
}

function firstValues(secrets: ReadonlyMap<string, readonly { readonly value: string }[]>): Record<string, string> {
  return Object.fromEntries(Array.from(secrets, ([name, [first]]) => [name, first?.value ?? '']))
}

/** Writes the ready line to a file; without one, makes sure that it can be, and that an old one leads nobody astray. */
export function writeReady(file: string | undefined, ready?: Ready): void {
  if (file === undefined) return
  const whole = `${file}.new`
  try {
    rmSync(file, { force: true })
    writeFileSync(whole, `${JSON.stringify(ready)}\n`, { mode: 0o600 })
    if (ready) renameSync(whole, file)
    else rmSync(whole)
  } catch (error) {
    throw new StartError(`--ready-file ${file} cannot be written: ${error instanceof Error ? error.message : ''}`)
  }
}

/** What `npm start` shows when everything is up. */
/** @param offset that of the ports, which commands have to know */
export function screenOf(ready: Ready, log = 'standard error', offset = 0): string {
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
  .join('')}  ${offset === 0 ? '' : `PORT_OFFSET=${offset} `}npx gatehouse send stripe payment_intent.succeeded

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

const field = (name: string, value: string) => `-d ${quoted(`${name}=${encodeURIComponent(value)}`)}`

/** As a word of a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** How to log in with the profile: commands to paste, and addresses for a browser. */
function tryOf({ profile, http, idp, users }: Ready): readonly string[] {
  const { bearer, basic } = PROFILES[profile]
  const admin = users.find(({ role, password }) => role === 'ROLE_ADMIN' && password !== '')
  const protectedPaths = ['/api/admin/secure', '/api/auth/info']
  const lines: string[] = []
  if (admin && bearer) {
    lines.push(
      `TOKEN=$(curl -s ${http}/api/auth/login ${field('username', admin.username)} ${field('password', admin.password)} | sed -n 's/.*"token":"\\([^"]*\\)".*/\\1/p')`,
      ...protectedPaths.map((path) => `curl -H "Authorization: Bearer $TOKEN" ${http}${path}`),
    )
  } else if (admin && basic) {
    const paths = [...protectedPaths, `/api/${admin.store}/users`]
    lines.push(...paths.map((path) => `curl -u ${quoted(`${admin.username}:${admin.password}`)} ${http}${path}`))
  } else if (admin) {
    lines.push(`Open ${http}/login in a browser`)
  }
  return idp === null ? lines : [...lines, `Open ${http}/oauth2/authorization/google in a browser`]
}
