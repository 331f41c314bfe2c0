import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, globSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { NOTICES } from '../../infra/supply/notices.ts'
import { openDataFolder } from '../../localstack/data-folder.ts'
import { startSqs } from '../../localstack/emulators/sqs.ts'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { containerDefinition } from '../../test/support/adapter-service.ts'
import { readDockerfile } from '../../test/support/dockerfile.ts'
import { claims, forge, HEADER } from '../../test/support/forge.ts'
import { freePort } from '../../test/support/free-port.ts'
import { bearerField, callUnary, connect } from '../../test/support/grpc-client.ts'
import { type Image, makeImage } from '../../test/support/image.ts'
import { type SecretsManager, startSecretsManager } from '../../test/support/secrets-manager.ts'
import { temporaryFolder } from '../../test/support/stack.ts'

const SECRET = randomBytes(64).toString('base64url')
/** What only the role of the task knows. */
const TASK_KEY = 'of the task role'
const REGION = 'eu-central-1'
const ACCOUNT = '000000000000'

const folder = temporaryFolder()
const data = openDataFolder('memory')
const running = new Set<ChildProcess>()
let image: Image
let queues: string
let secrets: SecretsManager
let cloud: Awaited<ReturnType<typeof startCloud>>
let emulator: Awaited<ReturnType<typeof startSqs>>

beforeAll(async () => {
  const port = await freePort()
  emulator = await startSqs(port, REGION, data)
  queues = `http://127.0.0.1:${port}`
  cloud = await startCloud()
  secrets = await startSecretsManager(TASK_KEY)
  secrets.put('gatehouse/prod/tokens', { JWT_KEYS: `test:${SECRET}` })
  // Whoever the container runs as has to get here.
  chmodSync(folder.path, 0o755)
  image = makeImage(readDockerfile('infra/adapter/Dockerfile'), folder.path)
})

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

afterAll(async () => {
  await cloud.stop()
  await secrets.stop()
  await emulator.stop()
  data.close()
  folder.remove()
})

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
    RETRY_QUEUE_URL: `${queues}/${ACCOUNT}/gatehouse-prod-retry`,
    EVENTS_TOPIC_ARN: `arn:aws:sns:${REGION}:${ACCOUNT}:gatehouse-prod-events`,
    MESSAGES_TOPIC_ARN: `arn:aws:sns:${REGION}:${ACCOUNT}:gatehouse-prod-messages`,
    TRUSTED_ORIGINS: '',
    JWT_LIFETIME_SECONDS: '',
    STOMP_CONNECTIONS: '',
    STOMP_CONNECTIONS_PER_USER: '',
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
  }
  const literal = Object.fromEntries(Environment.map(({ Name, Value }) => [Name, Value]))
  const names = Environment.map(({ Name }) => Name)
  return Object.fromEntries(names.map((name) => [name, values[name] ?? literal[name] ?? '']))
}

/** Runs a command of the image as its user, if that can be done, with nothing but the image and its environment. */
function run([program = '', ...options]: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(join(image.root, program), options, {
    cwd: image.cwd,
    env: { ...image.environment, ...environment, NODE_OPTIONS: `--permission --allow-fs-read=${image.root}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(process.getuid?.() === 0 ? { uid: image.uid, gid: image.uid } : {}),
  })
  running.add(child)
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => lines.push(line))
  return { child, lines, ended: once(child, 'exit') }
}

async function health(ports: Readonly<Record<string, string>>): Promise<unknown> {
  const { ended, lines } = run(image.health, ports)
  const [code] = await ended
  return code === 0 ? 0 : [code, ...lines]
}

/** The container, listening on this machine only. */
async function startContainer() {
  const ports = { GRPC_PORT: `${await freePort()}`, WS_PORT: `${await freePort()}` }
  const container = run(image.command, {
    ...taskEnvironment(),
    ...ports,
    CHANNELS_HOST: '127.0.0.1',
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud.address}/credentials`,
    AWS_ENDPOINT_URL_DYNAMODB: cloud.address,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    AWS_ENDPOINT_URL_SQS: queues,
    AWS_ENDPOINT_URL_SNS: queues,
  })
  const healthy = vi.waitUntil(async () => (await health(ports)) === 0, { timeout: 20_000, interval: 100 })
  const gone = container.ended.then(() => Promise.reject(new Error(container.lines.join('\n'))))
  await Promise.race([healthy, gone])
  return { ...container, ports }
}

describe('the files of the image, with the environment of the task and no right to write or to read anything else', () => {
  it("K10 hold two bundles with their source maps and the licences of others' code, no packages and no source", () => {
    const files = globSync('**', { cwd: image.cwd })
    expect(files.filter((file) => !/^(\.|[\w-]+\.mjs(\.map)?)$/.test(file))).toEqual([NOTICES])
    expect(files).toEqual(expect.arrayContaining(['index.mjs', 'healthcheck.mjs']))
  })

  it('serve both channels, and call AWS as the role of the task', async () => {
    const { ports } = await startContainer()
    const client = connect(`127.0.0.1:${ports.GRPC_PORT}`)
    onTestFinished(() => client.close())
    const token = forge(claims(), HEADER, 'sha512', SECRET)
    const event = { source: 'payment', eventId: 'evt-1' }
    const { code } = await callUnary(WebhookEventService.method.getWebhookEvent, event, bearerField(token), {
      over: client,
    })
    expect(code).toBe('NOT_FOUND')
    expect(cloud.calls).toContainEqual(['DynamoDB_20120810.GetItem', expect.stringContaining('Credential=TASK/')])
  })

  it('do not start without keys that nobody can guess, and say which setting is wrong, not its value', async () => {
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

  it('end with code 0 on SIGTERM, and are not healthy from then on', async () => {
    const { child, ended, lines, ports } = await startContainer()
    const lingering = new WebSocket(`ws://127.0.0.1:${ports.WS_PORT}/ws`, 'v12.stomp')
    await once(lingering, 'open')
    lingering.pause()
    child.kill('SIGTERM')
    await vi.waitUntil(() => lines.some((line) => line.includes('channels drain')), 20_000)
    expect(await health(ports)).toEqual([1, expect.stringContaining('ECONNREFUSED')])
    expect(child.exitCode, 'it still waits for its client').toBeNull()
    lingering.terminate()
    expect(await ended).toEqual([0, null])
    expect(await health(ports)).toEqual([1, expect.stringContaining('ECONNREFUSED')])
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

describe('the health check', () => {
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
