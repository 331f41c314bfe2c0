import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { DEMO } from '../../lib/runtime/settings/strength.ts'
import { providerOf } from '../../lib/webhooks/providers/index.ts'
import { githubServer } from '../../localstack/providers/github.ts'
import { served as answering } from '../../localstack/providers/pages.ts'
import { newMessage } from '../../localstack/senders/message.ts'
import { prove } from '../../localstack/senders/prove.ts'
import { type SenderCredentials, signerOf } from '../../localstack/senders/signers.ts'
import { SENDERS } from '../../localstack/senders/table.ts'
import { serveDirectory } from '../../localstack/stack/directory/embedded.ts'
import { parseLdif } from '../../localstack/stack/directory/entries.ts'
import { AuthService } from '../../proto/gen/gatehouse/v1/auth_pb.ts'
import { ServerReflection } from '../../proto/gen/grpc/reflection/v1/reflection_pb.ts'
import { openBrowser } from '../support/browserless-login.ts'
import { claims, forge, HEADER } from '../support/forge.ts'
import { freePort } from '../support/free-port.ts'
import { bearerField, callUnary, openDuplex } from '../support/grpc-client.ts'
import { BASE, PEOPLE } from '../support/people.ts'
import { type SecretsManager, startSecretsManager } from '../support/secrets-manager.ts'
import { serve } from '../support/served.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

/** How old a secret may be when it is used, in milliseconds. */
const MAXIMUM_AGE = 500
const PREFIX = 'gatehouse/rotation'
const LIST = { messageRequest: { case: 'listServices', value: '*' } } as const

type Generation = 'old' | 'new'

function generations<T>(make: (generation: Generation) => T): Readonly<Record<Generation, T>> {
  return { old: make('old'), new: make('new') }
}

const password = () => randomBytes(18).toString('base64url')

const KEYS = generations(() => randomBytes(64).toString('base64url'))
const CLIENT_SECRETS = generations(password)
const ACCOUNTS = generations((name) => ({ dn: `cn=gatehouse-${name},ou=services,${BASE}`, passwords: [password()] }))

/** The senders with an endpoint of their own, and another for each way to sign. */
const NAMES = new Set([
  ...['payment', 'order-status', 'stripe', 'github'],
  ...new Map(Object.keys(SENDERS).map((name) => [providerOf(name).scheme.methods[0], name])).values(),
])
const SHARED: ReadonlyMap<string, Readonly<Record<Generation, SenderCredentials>>> = new Map(
  [...NAMES].map((name) => [name, generations(() => signerOf(providerOf(name).scheme.methods[0]).make())]),
)

const data = temporaryFolder()
const acceptedByProvider = new Set<string>(Object.values(CLIENT_SECRETS))
let aws: SecretsManager
let provider: Server
let directory: ReturnType<typeof serveDirectory>
let stack: Stack

const put = {
  tokens: (...order: readonly Generation[]) =>
    aws.put(`${PREFIX}/tokens`, { JWT_KEYS: order.map((name) => `${name}:${KEYS[name]}`).join() }),
  webhooks: (secretsOf: (shared: Readonly<Record<Generation, SenderCredentials>>) => readonly unknown[]) =>
    aws.put(`${PREFIX}/webhooks`, {
      WEBHOOK_SECRETS: Object.fromEntries([...SHARED].map(([name, shared]) => [name, secretsOf(shared)])),
    }),
  oauth2: (name: Generation) =>
    aws.put(`${PREFIX}/oauth2`, {
      OAUTH2_GITHUB_CLIENT_SECRET: CLIENT_SECRETS[name],
      OAUTH2_GOOGLE_CLIENT_SECRET: DEMO.clientSecret,
      OAUTH2_FACEBOOK_CLIENT_SECRET: DEMO.clientSecret,
    }),
  directory: (name: Generation) =>
    aws.put(`${PREFIX}/directory`, {
      LDAP_BIND_DN: ACCOUNTS[name].dn,
      LDAP_BIND_PASSWORD: ACCOUNTS[name].passwords[0],
    }),
}

/** A provider that, as GitHub, takes several secrets of one client at a time. */
async function startProvider(port: number, baseUrl: string): Promise<Server> {
  const secret = password()
  const redirectUri = new URL('/login/oauth2/code/github', baseUrl).href
  const answer = githubServer({ id: 'rotating', secret, redirectUri })
  const server = createServer(
    answering((request) => {
      if (acceptedByProvider.has(request.form.get('client_secret') ?? '')) request.form.set('client_secret', secret)
      return answer(request)
    }),
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function startDirectory(port: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const accounts = Object.values(ACCOUNTS).map(({ dn, passwords }) => ({ dn, attributes: { userPassword: passwords } }))
  const server = serveDirectory([...parseLdif(PEOPLE), ...accounts], port, resolve)
  await promise
  return server
}

beforeAll(async () => {
  aws = await startSecretsManager()
  put.tokens('old')
  put.webhooks((shared) => [shared.old.secret])
  put.oauth2('old')
  put.directory('old')
  const offset = await freeOffset()
  const ldap = await freePort()
  directory = await startDirectory(ldap)
  provider = await startProvider(0, `http://127.0.0.1:${3000 + offset}`)
  const github = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  stack = await startStack({
    PORT_OFFSET: String(offset),
    DATA_DIR: data.path,
    SECRETS_PREFIX: PREFIX,
    SECRET_MAX_AGE_SECONDS: String(MAXIMUM_AGE / 1000),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000',
    WEBHOOK_TOLERANCE_SECONDS: '300',
    OAUTH2_GITHUB_CLIENT_ID: 'rotating',
    OAUTH2_GITHUB_AUTHORIZATION_URL: `${github}/login/oauth/authorize`,
    OAUTH2_GITHUB_TOKEN_URL: `${github}/login/oauth/access_token`,
    OAUTH2_GITHUB_API_URL: github,
    LDAP_URL: `ldap://127.0.0.1:${ldap}`,
    LDAP_BASE: BASE,
    // With a prefix nobody reads what the environment says.
    OAUTH2_GITHUB_CLIENT_SECRET: 'unused',
    LDAP_BIND_DN: 'cn=unused',
    LDAP_BIND_PASSWORD: 'unused',
  })
  serve({ http: stack.ready.http, ready: stack.ready, jwtSecret: KEYS.old })
})

afterAll(async () => {
  await stack.stop()
  directory.close(() => {})
  provider.close()
  await aws.stop()
  data.remove()
})

const OURS = { iss: 'gatehouse', aud: 'gatehouse' }
const tokenOf = (name: Generation) => forge(claims(OURS), { ...HEADER, kid: name }, 'sha512', KEYS[name])

async function overHttp(token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${stack.ready.http}/api/admin/secure`, { headers })
  const text = await response.text()
  return response.ok ? 'good' : `${response.status} ${/"tokenStatus":"(\w+)"/.exec(text)?.[1]}`
}

async function overGrpc(token: string): Promise<string> {
  const { code } = await callUnary(AuthService.method.whoAmI, {}, bearerField(token))
  return code === 'OK' ? 'good' : code
}

/** A gRPC stream and a STOMP session, and how they end. */
async function openChannels(token: string) {
  const stream = openDuplex(ServerReflection.method.serverReflectionInfo, LIST, bearerField(token))
  const stomp = new WebSocket(stack.ready.ws, ['v12.stomp'])
  const closed = once(stomp, 'close')
  await once(stomp, 'open')
  const connected = once(stomp, 'message')
  stomp.send(`CONNECT\naccept-version:1.2\nheart-beat:0,0\npasscode:${token}\n\n\0`)
  expect(String((await connected)[0])).toMatch(/^CONNECTED/)
  await vi.waitUntil(() => stream.messages.length === 1, 20_000)
  return {
    isOpen: () => stomp.readyState === WebSocket.OPEN,
    ended: Promise.all([stream.ended.then(({ code, rich }) => [code, rich?.reason]), closed.then(([code]) => code)]),
  }
}

async function loggedIn(): Promise<string> {
  const { username = '', password: own = '' } = stack.ready.users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
  const body = new URLSearchParams({ username, password: own })
  const response = await fetch(`${stack.ready.http}/api/auth/login`, { method: 'POST', body })
  const { token } = (await response.json()) as { token?: string }
  return token === undefined ? `${response.status}` : overHttp(token)
}

async function withProvider(): Promise<string> {
  const { headers } = await openBrowser().login('github', 'github:5002')
  return headers['location'] === '/' ? 'good' : String(headers['location'])
}

async function withDirectory(): Promise<string> {
  const authorization = `Basic ${Buffer.from('Ada:ada-password').toString('base64')}`
  const response = await fetch(`${stack.ready.http}/api/ldap/users`, { headers: { authorization } })
  await response.text()
  return response.ok ? 'good' : `${response.status}`
}

async function webhook(name: string, generation: Generation): Promise<string> {
  const sender = SENDERS[name as keyof typeof SENDERS]
  const credentials = SHARED.get(name)?.[generation] ?? { secret: '' }
  const url = `${stack.ready.http}/webhooks/${name}`
  const signedAt = new Date()
  const message = newMessage(sender, sender.events[0], { id: randomUUID(), at: signedAt })
  const { headers, body } = prove(message, { name, sender, credentials, url, signedAt })
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })
  await response.text()
  return response.ok ? 'good' : `${response.status}`
}

/** Calls without a pause until it is told to stop. */
function startLoad(generation: () => Generation) {
  const refused: string[] = []
  const counts = new Map<string, number>()
  let isOver = false
  async function repeat(name: string, call: () => Promise<string>): Promise<void> {
    for (let count = 1; !isOver; count++) {
      const answer = await call().catch((error: unknown) => `${error}`)
      if (answer !== 'good') refused.push(`${name}: ${answer}`)
      counts.set(name, count)
    }
  }
  const calls: Readonly<Record<string, () => Promise<string>>> = {
    'a token over HTTP': () => overHttp(tokenOf(generation())),
    'a token over gRPC': () => overGrpc(tokenOf(generation())),
    'a login, and its token': loggedIn,
    'a login with a provider': withProvider,
    'a login with the directory': withDirectory,
    ...Object.fromEntries(
      [...SHARED.keys()].map((name) => [`a webhook of ${name}`, () => webhook(name, generation())]),
    ),
  }
  const loops = Object.entries(calls).map(([name, call]) => repeat(name, call))
  return {
    refused,
    /** Until each call was made so often, all in all. */
    reached: (count: number) =>
      vi.waitUntil(() => Object.keys(calls).every((name) => (counts.get(name) ?? 0) >= count), { timeout: 60_000 }),
    async stop() {
      isOver = true
      await Promise.all(loops)
      return counts
    },
  }
}

/** Until whatever was put before is in use everywhere. */
async function aged(): Promise<void> {
  const until = Date.now() + MAXIMUM_AGE
  await vi.waitUntil(() => Date.now() >= until)
}

async function answersToOld(): Promise<readonly string[]> {
  const token = tokenOf('old')
  const webhooks = [...SHARED.keys()].map((name) => webhook(name, 'old'))
  return Promise.all([overHttp(token), overGrpc(token), ...webhooks])
}

it('K04 every secret is replaced under load: no valid call is refused, and no old secret is accepted after its end', async () => {
  let signing: Generation = 'old'
  const load = startLoad(() => signing)
  onTestFinished(() => void load.stop())
  await load.reached(2)
  const channels = await openChannels(tokenOf('old'))

  put.tokens('old', 'new')
  put.webhooks((shared) => [shared.old.secret, shared.new.secret])
  await aged()

  signing = 'new'
  put.tokens('new', 'old')
  put.oauth2('new')
  put.directory('new')
  await aged()
  expect(new Set(await answersToOld()), 'until its end the old one is good').toEqual(new Set(['good']))

  aws.fail([500, '{}'])
  await aged()
  await load.reached(5)
  aws.fail()

  const end = new Date()
  expect(channels.isOpen()).toBe(true)
  put.tokens('new')
  put.webhooks((shared) => [{ value: shared.old.secret, notAfter: end.toISOString() }, shared.new.secret])
  await aged()
  acceptedByProvider.delete(CLIENT_SECRETS.old)
  ACCOUNTS.old.passwords.pop()
  const [overHttpNow, overGrpcNow, ...webhooks] = await answersToOld()
  expect([overHttpNow, overGrpcNow]).toEqual(['401 INVALID_SIGNATURE', 'UNAUTHENTICATED'])
  expect(webhooks.filter((answer) => !/^40[01]$/.test(answer))).toEqual([])

  await load.reached(9)
  await load.stop()
  expect(await channels.ended).toEqual([['UNAUTHENTICATED', 'TOKEN_INVALID_SIGNATURE'], 1008])
  const log = readFileSync(join(data.path, 'gatehouse.log'), 'utf8')
  const whatWentWrong = log.split('\n').filter((line) => /"level":"(?:WARN|ERROR)"/.test(line))
  expect(load.refused, whatWentWrong.join('\n')).toEqual([])

  expect(log).toContain('secret stays as it was')
  const values = [KEYS, CLIENT_SECRETS, ...SHARED.values()].flatMap((one) => Object.values<unknown>(one))
  for (const value of values)
    expect(log).not.toContain(typeof value === 'string' ? value : (value as SenderCredentials).secret)
})
