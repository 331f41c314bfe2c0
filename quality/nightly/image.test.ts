import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client, type IFrame } from '@stomp/stompjs'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { NOTICES } from '../../infra/supply/notices.ts'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { containerDefinition } from '../../test/support/adapter-service.ts'
import { claims, forge, HEADER } from '../../test/support/forge.ts'
import { bearerField, callUnary, connect } from '../../test/support/grpc-client.ts'
import { type SecretsManager, startSecretsManager } from '../../test/support/secrets-manager.ts'

const SECRET = randomBytes(64).toString('base64url')
/** What only the role of the task knows. */
const TASK_KEY = 'of the task role'
const REGION = 'eu-central-1'

/** An image of its own beside one that somebody has built. */
const NAME = `gatehouse-adapter:test-${process.pid}`
const BUILDAH = { ...process.env, BUILDAH_ISOLATION: 'chroot' }
const WORDS_OF_BUILDAH = /^subprocess exited |^Error: exit status /

const hasBuildah = process.getuid?.() === 0 && spawnSync('buildah', ['version']).status === 0
if (!hasBuildah) {
  if (process.env['CI']) throw new Error('CI needs buildah, and to be root: apt-get install buildah')
  process.stderr.write('skipped: the tests of the image need buildah (apt-get install buildah), and to be root\n')
}

/** The configuration of an image, as far as it is looked at. */
interface Image {
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
  readonly Labels: Readonly<Record<string, string>>
}

const running = new Set<ChildProcess>()
let image: Image
let container: string
let secrets: SecretsManager
let cloud: Awaited<ReturnType<typeof startCloud>>

beforeAll(async () => {
  cloud = await startCloud()
  secrets = await startSecretsManager(TASK_KEY)
  secrets.put('gatehouse/prod/tokens', { JWT_KEYS: `test:${SECRET}` })
  await promisify(execFile)('npm', ['run', '--silent', 'image', '--', NAME], {
    env: { ...process.env, CONTAINER_ENGINE: 'buildah' },
  })
  container = buildah('from', '--pull-never', NAME)
  image = JSON.parse(buildah('inspect', container)).Docker.config
}, 900_000)

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

afterAll(async () => {
  await cloud.stop()
  await secrets.stop()
  buildah('rm', container)
  buildah('rmi', NAME)
})

function buildah(...options: readonly string[]): string {
  return execFileSync('buildah', options, { encoding: 'utf8' }).trim()
}

const token = (changes = {}) => forge(claims(changes), HEADER, 'sha512', SECRET)

/** Hands over credentials as ECS does, and is a DynamoDB in which nothing is found. */
async function startCloud() {
  const credentials = {
    AccessKeyId: 'TASK',
    SecretAccessKey: TASK_KEY,
    Token: 'session',
    Expiration: new Date(Date.now() + 3_600_000),
  }
  const calls: unknown[] = []
  const { address, stop } = await listen(({ method, headers }, response) => {
    if (method === 'POST') calls.push([headers['x-amz-target'], headers.authorization])
    response
      .setHeader('content-type', 'application/x-amz-json-1.0')
      .end(JSON.stringify(method === 'GET' ? credentials : {}))
  })
  return { address, calls, stop }
}

async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, port, stop: () => stopOf(server) }
}

async function stopOf(server: { close(done: () => void): unknown; closeAllConnections?(): void }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(resolve)
  server.closeAllConnections?.()
  await promise
}

/** What the task definition hands over, with values in place of references and of what only AWS can know. */
function taskEnvironment(): Readonly<Record<string, string>> {
  const { Environment } = containerDefinition()
  const values: Readonly<Record<string, string>> = {
    AWS_REGION: REGION,
    STAGE: 'prod',
    BASE_URL: 'https://api.example',
    SECRETS_PREFIX: 'gatehouse/prod',
    SECRET_MAX_AGE_SECONDS: '',
    EVENTS_TABLE: 'gatehouse-prod-events',
    KEYS_TABLE: 'gatehouse-prod-keys',
    USERS_TABLE: 'gatehouse-prod-users',
    SESSIONS_TABLE: 'gatehouse-prod-sessions',
    MESSAGES_TABLE: 'gatehouse-prod-messages',
    AUDIT_TABLE: 'gatehouse-prod-audit',
    AUDIT_DAYS: '',
    RETRY_QUEUE_URL: `https://sqs.${REGION}.amazonaws.com/000000000000/gatehouse-prod-retry`,
    TRUSTED_ORIGINS: '',
    JWT_LIFETIME_SECONDS: '',
    STOMP_CONNECTIONS: '',
    STOMP_CONNECTIONS_PER_USER: '',
    STOMP_HEART_BEAT_SECONDS: '',
    STOMP_BODY_BYTES: '',
    STOMP_FRAMES_PER_SECOND: '',
    STOMP_FRAME_BURST: '',
    TRUSTED_PROXIES: '10.0.0.0/8,172.16.0.0/12',
    GRPC_CONNECTION_AGE_SECONDS: '',
    CHANNELS_ANONYMOUS: '',
    CHANNELS_ANONYMOUS_PER_ADDRESS: '',
    PROFILE: '',
    ADMIN_IDENTITIES: '',
    LDAP_URL: '',
    LDAP_START_TLS: '',
    LDAP_CA: '',
    LDAP_BASE: '',
    LDAP_GROUP_ROLES: '',
    SESSION_IDLE_SECONDS: '',
    SESSION_MAX_SECONDS: '',
  }
  const literal = Object.fromEntries(Environment.map(({ Name, Value }) => [Name, Value]))
  const names = Environment.map(({ Name }) => Name)
  return Object.fromEntries(names.map((name) => [name, values[name] ?? literal[name] ?? '']))
}

/** Runs a command in the image, as its user, with its environment and nothing but its files. */
function run(command: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const variables = Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`)
  const child = spawn('buildah', ['run', ...variables, container, '--', ...command], { env: BUILDAH })
  running.add(child)
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => WORDS_OF_BUILDAH.test(line) || lines.push(line))
  }
  return { child, lines, ended: once(child, 'close').then(([code]) => code) }
}

async function health(ports: Readonly<Record<string, string>>): Promise<unknown> {
  const { ended, lines } = run(image.Healthcheck.Test.slice(1), ports)
  const code = await ended
  return code === 0 ? 0 : [code, ...lines]
}

/** The container, listening on this machine only. */
async function startContainer() {
  const started = run([...image.Entrypoint, ...image.Cmd], {
    ...taskEnvironment(),
    GRPC_PORT: '0',
    WS_PORT: '0',
    CHANNELS_HOST: '127.0.0.1',
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud.address}/credentials`,
    AWS_ENDPOINT_URL_DYNAMODB: cloud.address,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  })
  const { lines, ended } = started
  const said = (text: string) => vi.waitUntil(() => lines.find((line) => line.includes(text)), 60_000)
  const gone = ended.then(() => Promise.reject(new Error(lines.join('\n'))))
  const { grpc, ws } = JSON.parse(await Promise.race([said('channels listen'), gone]))
  return { ...started, said, ports: { GRPC_PORT: `${grpc}`, WS_PORT: `${ws}` } }
}

/** The process in the image: the engine's process starts others, and the last of them becomes it. */
function innermost(pid: number): number {
  const [child] = globSync(`/proc/${pid}/task/*/children`).flatMap(
    (file) => readFileSync(file, 'utf8').match(/\d+/) ?? [],
  )
  return child === undefined ? pid : innermost(Number(child))
}

/** What its user finds in the image, besides what an engine mounts and where Linux lets everybody write. */
const LOOK_AROUND = `
const { accessSync, constants, readdirSync } = require('node:fs')
const isWritable = (path) => { try { return accessSync(path, constants.W_OK) ?? true } catch { return false } }
const folders = readdirSync('/').filter((name) => !['dev', 'home', 'proc', 'sys', 'tmp', 'var'].includes(name))
const below = (folder) => readdirSync(folder, { recursive: true }).map((name) => folder + '/' + name)
const paths = ['/', ...folders.flatMap((name) => ['/' + name, ...below('/' + name)])]
const user = [process.getuid(), process.getgid()]
console.log(JSON.stringify({ user, writable: paths.filter(isWritable), files: readdirSync('.') }))
`

describe.skipIf(!hasBuildah)('the image, with the environment of the task', () => {
  it('K10 runs as nobody, who can write nowhere, and contains bundles, source maps and licenses, but no source and no shell', async () => {
    const { lines, ended } = run([...image.Entrypoint, '-e', LOOK_AROUND])
    expect(await ended, lines.join('\n')).toBe(0)
    const { user, writable, files } = JSON.parse(lines.join('\n'))
    expect({ user, writable }).toEqual({ user: [65_532, 65_532], writable: [] })
    expect(files.filter((file: string) => !/^[\w-]+\.mjs(\.map)?$/.test(file))).toEqual([NOTICES])
    expect(files).toEqual(expect.arrayContaining(['index.mjs', 'healthcheck.mjs']))
    expect(await run(['/bin/sh', '-c', 'true']).ended).not.toBe(0)
  })

  it('states its version and its commit', () => {
    expect(image.Labels).toMatchObject({
      'org.opencontainers.image.version': JSON.parse(readFileSync('package.json', 'utf8')).version,
      'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}(-dirty)?$/),
    })
  })

  it('serves gRPC, and calls AWS as the role of the task', async () => {
    const { ports } = await startContainer()
    const address = `127.0.0.1:${ports.GRPC_PORT}`
    const { stdout } = await promisify(execFile)('quality/node_modules/.bin/buf', [
      ...['curl', '--schema', 'proto', '--protocol', 'grpc', '--http2-prior-knowledge'],
      `http://${address}/grpc.health.v1.Health/Check`,
    ])
    expect(JSON.parse(stdout)).toEqual({ status: 'SERVING' })
    const client = connect(address)
    onTestFinished(() => client.close())
    const event = { source: 'payment', eventId: 'evt-1' }
    const { code } = await callUnary(WebhookEventService.method.getWebhookEvent, event, bearerField(token()), {
      over: client,
    })
    expect(code).toBe('NOT_FOUND')
    expect(cloud.calls).toContainEqual(['DynamoDB_20120810.GetItem', expect.stringContaining('Credential=TASK/')])
  })

  it('serves STOMP over WebSocket', async () => {
    const { ports } = await startContainer()
    const { promise, resolve } = Promise.withResolvers<IFrame>()
    const client = new Client({
      webSocketFactory: () => new WebSocket(`ws://127.0.0.1:${ports.WS_PORT}/ws`, 'v12.stomp'),
      // Of an account that no table of ours has to know.
      connectHeaders: { Authorization: `Bearer ${token({ sub: 'google:1', uid: 'google:1', role: 'ROLE_USER' })}` },
      reconnectDelay: 0,
      onConnect: resolve,
      onStompError: resolve,
    })
    onTestFinished(() => client.deactivate())
    client.activate()
    expect(await promise).toMatchObject({ command: 'CONNECTED', headers: { version: '1.2', 'user-name': 'google:1' } })
  })

  it('is healthy while it serves, and ends with code 0 on SIGTERM', async () => {
    const { child, ended, ports, said } = await startContainer()
    expect(await health(ports)).toBe(0)
    const lingering = new WebSocket(`ws://127.0.0.1:${ports.WS_PORT}/ws`, 'v12.stomp')
    await once(lingering, 'open')
    lingering.pause()
    process.kill(innermost(child.pid ?? 0), 'SIGTERM')
    await said('channels drain')
    expect(await health(ports)).toEqual([1, expect.stringContaining('ECONNREFUSED')])
    expect(child.exitCode, 'it still waits for its client').toBeNull()
    lingering.terminate()
    expect(await ended).toBe(0)
    expect(await health(ports)).toEqual([1, expect.stringContaining('ECONNREFUSED')])
  })

  it('does not start without unguessable keys, and names the wrong setting without its value', async () => {
    for (const [value, problem] of [
      [{}, 'JWT_KEYS: must be set'],
      [{ JWT_KEYS: 'a:c2hvcnQ' }, 'JWT_KEYS: key 1 must have at least 64 bytes'],
      [{ JWT_KEYS: `local:${SECRET}` }, 'JWT_KEYS: the key "local" belongs to local runs only'],
    ] as const) {
      secrets.put('gatehouse/prod/tokens', value)
      const refused = await startContainer().catch(String)
      expect(refused).toContain(`Wrong settings, with the secret gatehouse/prod/tokens:\n  ${problem}`)
      expect(refused).not.toMatch(/c2hvcnQ/)
      expect(refused).not.toContain(SECRET)
    }
    secrets.put('gatehouse/prod/tokens', { JWT_KEYS: `test:${SECRET}` })
  })
})

const ANSWERS = {
  serving: (stream: ServerHttp2Stream) => answer(stream, [0, 0, 0, 0, 2, 8, 1]),
  'not serving': (stream: ServerHttp2Stream) => answer(stream, [0, 0, 0, 0, 2, 8, 2]),
  silent: () => {},
}

function answer(stream: ServerHttp2Stream, bytes: readonly number[]): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  stream.end(Buffer.from(bytes))
}

describe.skipIf(!hasBuildah)('the health check of the image', () => {
  it.each([
    { http: 200, grpc: 'serving', result: 0 },
    { http: 503, grpc: 'serving', result: [1, 'Error: /healthz answers 503'] },
    { http: 200, grpc: 'not serving', result: [1, 'Error: gRPC does not serve'] },
    { http: 200, grpc: 'silent', result: [1, expect.stringContaining('aborted')] },
  ] as const)('of HTTP $http and a gRPC that is $grpc ends with $result', async ({ http, grpc, result }) => {
    const web = await listen((_, response) => response.writeHead(http).end())
    const rpc = createHttp2Server().on('stream', ANSWERS[grpc]).listen(0, '127.0.0.1')
    await once(rpc, 'listening')
    const { port } = rpc.address() as AddressInfo
    expect(await health({ WS_PORT: `${web.port}`, GRPC_PORT: `${port}` })).toEqual(result)
    await Promise.all([web.stop(), stopOf(rpc)])
  })
})
