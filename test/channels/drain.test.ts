import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AuthService } from '../../proto/gen/gatehouse/v1/auth_pb.ts'
import { Health, HealthCheckResponse_ServingStatus as State } from '../../proto/gen/grpc/health/v1/health_pb.ts'
import { ServerReflection } from '../../proto/gen/grpc/reflection/v1/reflection_pb.ts'
import { NOWHERE } from '../support/adapter-process.ts'
import { forge } from '../support/forge.ts'
import { bearerField, callUnary, connect, openDuplex, openStream } from '../support/grpc-client.ts'
import { served } from '../support/served.ts'
import { localEnvironment, TIED } from '../support/stack.ts'

const LIST = { messageRequest: { case: 'listServices', value: '*' } } as const

const ADAPTER = 'infra/adapter/main.ts'

let child: ChildProcess | undefined
afterEach(() => void child?.kill('SIGKILL'))

/** The process of the container by itself, on a port of its own. */
async function start(settings: Readonly<Record<string, string>> = {}) {
  const ports = { GRPC_PORT: '0', WS_PORT: '0' }
  const own = { JWT_KEYS: `test:${served('jwtSecret')}`, BASE_URL: 'http://127.0.0.1', ...ports }
  const env = localEnvironment({ ...NOWHERE, ...own, ...settings })
  child = spawn(execPath, [...TIED, ADAPTER], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const lines: string[] = []
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => lines.push(line))
  const listening = await vi.waitUntil(() => lines.find((line) => line.includes('channels listen')), 20_000)
  const { grpc } = JSON.parse(listening)
  return { client: connect(`127.0.0.1:${grpc}`), child, ended, lines }
}

describe('SIGTERM', () => {
  it('announces the end, ends the streams as unavailable, and then ends the process', async () => {
    const { client, child, ended } = await start({
      AWS_ENDPOINT_URL_DYNAMODB: served('ready').dynamodb,
      USERS_TABLE: 'gatehouse-local-users',
    })
    const health = openStream(Health.method.watch, { service: '' }, {}, client)
    const stream = openDuplex(ServerReflection.method.serverReflectionInfo, LIST, bearerField(forge()), client)
    await vi.waitUntil(() => health.messages.length === 1 && stream.messages.length === 1, 20_000)
    child.kill('SIGTERM')
    const [watched, listed] = await Promise.all([health.ended, stream.ended])
    expect(watched.messages.map(({ status }) => status)).toEqual([State.SERVING, State.NOT_SERVING])
    expect([watched.code, listed.code]).toEqual(['UNAVAILABLE', 'UNAVAILABLE'])
    expect(listed.rich).toMatchObject({ reason: 'UNAVAILABLE', retrySeconds: 5 })
    expect(await ended).toEqual([0, null])
    client.close()
  })

  it('of a process with a caller connected, but no call open, ends it at once', async () => {
    const { client, child, ended } = await start({ DRAIN_SECONDS: '3600' })
    expect((await callUnary(AuthService.method.whoAmI, {}, bearerField(forge()), { over: client })).code).toBe('OK')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    client.close()
  })
})

it('the process refuses to start with wrong settings, naming all of them and showing none', async () => {
  const names = ['GRPC_PORT', 'WS_PORT', 'EVENTS_TABLE', 'RETRY_QUEUE_URL']
  const wrong = { GRPC_PORT: 'abc', WS_PORT: 'c2hvcnQ' }
  const env = localEnvironment({ JWT_KEYS: `x:${Buffer.alloc(64, 7).toString('base64url')}`, ...wrong })
  child = spawn(execPath, [ADAPTER], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let complaint = ''
  child.stderr?.on('data', (chunk) => {
    complaint += chunk
  })
  expect((await ended)[0]).not.toBe(0)
  for (const name of names) expect(complaint).toContain(`${name}: `)
  expect(complaint).not.toContain('c2hvcnQ')
})
