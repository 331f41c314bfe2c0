import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { templateAlarm } from '../../test/support/cloudwatch/template-alarm.ts'
import { type EmulatedStore, emulatedStore } from '../../test/support/emulated-store.ts'
import { type FaultProxy, faultProxy } from '../../test/support/fault-proxy.ts'
import { freePort } from '../../test/support/free-port.ts'
import { LAMBDA_ENVIRONMENT } from '../../test/support/lambda-environment.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }

const folder = temporaryFolder()
let store: EmulatedStore
let tables: FaultProxy
let stack: Stack

beforeAll(async () => {
  store = await emulatedStore('dynoxide')
  tables = await faultProxy(Number(new URL(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '').port))
  stack = await startStack({
    ...CREDENTIALS,
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: folder.path,
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${tables.port}`,
  })
})

afterAll(async () => {
  await stack.stop()
  await tables.close()
  await store.stop()
  folder.remove()
})

const secretOf = () => stack.ready.webhookSecrets['canary'] ?? ''

/** Runs the packaged function once, as its schedule does. @returns what it wrote */
async function canary(changes: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const script = `
    const { handler } = await import(${JSON.stringify(resolve('dist/jobs/canary/index.mjs'))})
    console.log(await handler({}, { awsRequestId: 'r', getRemainingTimeInMillis: () => 15_000 }))`
  const { POWERTOOLS_DEV: _, ...settings } = LAMBDA_ENVIRONMENT
  const environment = {
    ...settings,
    BASE_URL: stack.ready.http,
    WEBHOOK_SECRETS: JSON.stringify({ canary: secretOf() }),
    ...changes,
  }
  const options = { env: environment, maxBuffer: 1e7 }
  const { stdout } = await promisify(execFile)(execPath, ['--input-type=module', '--eval', script], options)
  return stdout.trim().split('\n')
}

/** What three canaries of 15 minutes come to. */
async function quarterOfAnHour(changes: Readonly<Record<string, string>> = {}) {
  const runs = await Promise.all([1, 2, 3].map(() => canary(changes)))
  const lines = runs.flat()
  const text = lines.join('\n')
  expect(text).not.toContain(secretOf())
  return { state: templateAlarm('canary-unanswered')(lines), results: runs.map((run) => run.at(-1)), text }
}

async function eventsOfCanary() {
  const { username, password } = stack.ready.users.find(({ username }) => username === 'admin') ?? {}
  const body = new URLSearchParams({ username: username ?? '', password: password ?? '' })
  const login = await fetch(`${stack.ready.http}/api/auth/login`, { method: 'POST', body })
  const { token } = (await login.json()) as { readonly token: string }
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${stack.ready.http}/api/webhooks/events?source=canary`, { headers })
  return ((await answer.json()) as { readonly events: readonly object[] }).events
}

describe('canary-unanswered', () => {
  it('is off while the stage accepts its webhook, which is one event however often it is sent', async () => {
    expect(await eventsOfCanary()).toEqual([])
    for (const _quarter of [1, 2]) {
      expect(await quarterOfAnHour()).toMatchObject({ state: 'OK', results: Array(3).fill('answered') })
    }
    expect(await eventsOfCanary()).toMatchObject([{ source: 'canary', eventId: 'canary', status: 'PROCESSED' }])
    const log = readFileSync(join(stack.ready.data, 'gatehouse.log'), 'utf8').split('\n')
    expect(log.filter((line) => line.includes('"decision":"duplicate"') && line.includes('"canary"'))).toHaveLength(5)
    expect(log.filter((line) => line.includes('"_aws"') && line.includes('"canary"'))).toEqual([])
  })

  it('is on while the store does not answer, and off again after that', async () => {
    tables.set('hangs')
    const { state, results, text } = await quarterOfAnHour()
    tables.set('none')
    expect({ state, results }).toEqual({ state: 'ALARM', results: Array(3).fill('unanswered') })
    expect(text).toMatch(/"status":50\d|"code":"ABORT_ERR"/)
    expect(await quarterOfAnHour()).toMatchObject({ state: 'OK' })
  })

  it('is off when one of three is accepted', async () => {
    const wrong = await canary({ WEBHOOK_SECRETS: '{"canary":"another secret"}' })
    expect(templateAlarm('canary-unanswered')([...wrong, ...(await canary({}))])).toBe('OK')
  })

  it('is on while the intake has another secret', async () => {
    const { state, text } = await quarterOfAnHour({ WEBHOOK_SECRETS: '{"canary":"another secret"}' })
    expect(state).toBe('ALARM')
    expect(text).toContain('"status":401')
    expect(text).not.toContain('another secret')
  })

  it('is on while nothing listens at the public address', async () => {
    const { state, text } = await quarterOfAnHour({ BASE_URL: `http://127.0.0.1:${await freePort()}` })
    expect(state).toBe('ALARM')
    expect(text).toContain('ECONNREFUSED')
  })

  it('is on while the name does not resolve', async () => {
    const { state, text } = await quarterOfAnHour({ BASE_URL: 'https://gatehouse.invalid' })
    expect(state).toBe('ALARM')
    expect(text).toContain('"canary unanswered"')
  })

  it('is on while there is no certificate', async () => {
    const { state, text } = await quarterOfAnHour({ BASE_URL: stack.ready.http.replace('http:', 'https:') })
    expect(state).toBe('ALARM')
    expect(text).toMatch(/"code":"(?:EPROTO|ERR_SSL|ECONNRESET)/)
  })

  it('is off on a stage without a secret for it, which the log states', async () => {
    const { state, results, text } = await quarterOfAnHour({ WEBHOOK_SECRETS: '{}' })
    expect({ state, results }).toEqual({ state: 'OK', results: Array(3).fill('idle') })
    expect(text).toContain('canary idle')
  })
})
