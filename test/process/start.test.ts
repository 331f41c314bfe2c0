import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  embeddedProviders,
  providerAddresses,
  providerEnvironment,
  providerUsers,
} from '../../localstack/providers/embedded.ts'
import { portsAt } from '../../localstack/stack/ports.ts'
import type { Ready } from '../../localstack/stack/ready.ts'
import { freePort } from '../support/free-port.ts'
import { freeOffset, localEnvironment, startStack, temporaryFolder } from '../support/stack.ts'

const data = temporaryFolder()
afterAll(() => data.remove())

/** Runs `npm start` where it is expected to refuse. */
function refusedStart(environment: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = spawnSync(execPath, ['localstack/start.ts', '--json'], {
    env: localEnvironment({ DATA_DIR: data.path, ...environment }),
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { status, stdout, stderr }
}

async function isReachable(address: string): Promise<boolean> {
  const url = new URL(address)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer().once('error', () => resolve(true))
  server.listen(Number(url.port), url.hostname, () => server.close(() => resolve(false)))
  return promise
}

/** A run's processes; what is not needed for long, the bundler for one, has ended by now. */
const PARTS = [
  /serverless\/bin\/serverless\.js/,
  /dynoxide serve|DynamoDBLocal/,
  /emulators\/sqs\.ts/,
  /adapter\/index\.mjs/,
]

const addressesOf = ({ http, ws, grpc, dynamodb, sqs, ldap, idp }: Ready) =>
  [http, ws.replace('ws:', 'http:'), `http://${grpc}`, dynamodb, sqs, ldap, ...Object.values(idp ?? {})].filter(
    (address) => address !== null,
  )

async function allGone(ready: Ready): Promise<boolean> {
  const reachable = await Promise.all(addressesOf(ready).map(isReachable))
  return !reachable.includes(true)
}

describe('npm start --json', () => {
  it('prints one line when ready and nothing else, and ends without errors on Ctrl-C', async () => {
    const stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' })
    const { ready } = stack
    expect(ready).toMatchObject({ event: 'ready', data: 'memory' })
    expect(ready.ws).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/ws$/)
    expect(ready.events).toBe(ready.ws.replace('ws:', 'http:').replace('/ws', '/api/webhooks/stream'))
    expect(ready.grpc).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(Object.keys(ready.idp ?? {})).toEqual(['google', 'github', 'facebook'])
    expect(ready.ldap).toMatch(/^ldap:\/\/127\.0\.0\.1:\d+$/)
    expect(ready.users.map(({ username, role, store }) => [username, role, store])).toEqual(
      expect.arrayContaining([
        ['admin', 'ROLE_ADMIN', 'jdbc'],
        ['user', 'ROLE_USER', 'jdbc'],
      ]),
    )
    expect(Object.keys(ready.webhookSecrets)).toEqual(
      expect.arrayContaining(['stripe', 'github', 'payment', 'order-status', 'demo']),
    )
    expect((await fetch(`${ready.http}/api/public/hello`)).status).toBe(200)
    expect(PARTS.map((part) => stack.parts().filter(({ command }) => part.test(command)).length)).toEqual(
      PARTS.map(() => 1),
    )
    expect(stack.parts()).toHaveLength(PARTS.length)
    expect(await stack.stop()).toBe(0)
    expect(stack.output()).toHaveLength(1)
    expect(await allGone(ready)).toBe(true)
  })

  it('leaves nothing running when it is killed, and keeps secrets, the keys of its login provider and events in DATA_DIR', async () => {
    const environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: data.path }
    const first = await startStack(environment)
    const body = JSON.stringify({
      eventId: 'kept',
      transactionId: 't',
      orderId: 'o',
      status: 'FAILED',
      currency: 'EUR',
    })
    const post = (http: string) => fetch(`${http}/webhooks/payment`, { method: 'POST', body })
    const keys = async ({ idp }: Ready) => (await fetch(`${idp?.google}/jwks`)).json()
    expect((await post(first.ready.http)).status).toBe(200)
    const before = await keys(first.ready)
    first.process.kill('SIGKILL')
    await vi.waitUntil(() => allGone(first.ready), { timeout: 20_000, interval: 100 })
    const second = await startStack(environment)
    expect(second.ready.webhookSecrets).toEqual(first.ready.webhookSecrets)
    expect(await keys(second.ready)).toEqual(before)
    expect(await (await post(second.ready.http)).json()).toMatchObject({ message: 'Duplicate event ignored' })
    await second.stop()
  })
})

it('the compiled code of a process is cached for the next start, however it ends', async () => {
  const folder = temporaryFolder()
  const child = spawn(execPath, ['localstack/stack/emulators/sqs.ts', `${await freePort()}`, 'eu-central-1', ''], {
    env: localEnvironment({ NODE_COMPILE_CACHE: folder.path }),
    stdio: 'ignore',
  })
  await vi.waitUntil(() => globSync('*/*', { cwd: folder.path }).length > 10, { timeout: 60_000 })
  expect(child.exitCode).toBe(null)
  child.kill('SIGKILL')
  folder.remove()
})

describe('the embedded login providers', () => {
  it('do not run in a profile without them', () => {
    expect([embeddedProviders({ PROFILE: 'jwt' }), providerAddresses({ PROFILE: 'jwt' })]).toEqual([[], null])
  })

  it('do not replace a provider that has a configured client', () => {
    const own = { OAUTH2_GITHUB_CLIENT_ID: 'own', OAUTH2_GITHUB_CLIENT_SECRET: 'a secret of sixteen' }
    const environment = { ...own, ...providerEnvironment(own, portsAt(0)) }
    expect(embeddedProviders(own)).toEqual(['google', 'facebook'])
    expect(environment.OAUTH2_GITHUB_CLIENT_ID).toBe('own')
    expect(providerAddresses(environment)).toMatchObject({ github: 'https://github.com' })
    expect(providerUsers(environment).map(({ store }) => store)).not.toContain('github')
  })
})

describe('npm start refuses', () => {
  it('K03 wrong settings, and names them together without their values', () => {
    const { status, stdout, stderr } = refusedStart({
      PORT_OFFSET: 'abc',
      JWT_KEYS: 'x:c2hvcnQ',
      PROFILE: 'nope',
      WEBHOOK_SECRETS: '{"stripe":7}',
      WEBHOOK_RETRY_DELAY_MINUTES: '5,x',
    })
    expect(status).toBe(1)
    expect(stdout).toBe('')
    for (const name of ['PORT_OFFSET', 'JWT_KEYS', 'PROFILE', 'WEBHOOK_SECRETS', 'WEBHOOK_RETRY_DELAY_MINUTES']) {
      expect(stderr).toContain(`${name}: `)
    }
    expect(stderr).toContain('default, jwt, jdbc, ldap, oauth2')
    expect(stderr).not.toContain('c2hvcnQ')
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('occupied ports, and names the setting that moves each', async () => {
    const offset = await freeOffset()
    const servers = [3000, 9324].map((port) => createServer().listen(port + offset, '127.0.0.1'))
    await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
    const folder = join(data.path, 'never-made')
    const { status, stdout, stderr } = refusedStart({ PORT_OFFSET: String(offset), DATA_DIR: folder })
    for (const server of servers) server.close()
    expect(status).toBe(1)
    expect(stdout).toBe('')
    for (const port of [3000, 9324]) expect(stderr).toContain(String(port + offset))
    expect(stderr).toContain('PORT_OFFSET')
    expect(existsSync(folder)).toBe(false)
  })
})
