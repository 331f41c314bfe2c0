import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { command } from '../../test/support/command.ts'
import { freeOffset, type Stack, startStack } from '../../test/support/stack.ts'

let stack: Stack
let http: string

async function start(environment: Readonly<Record<string, string>> = {}): Promise<Stack> {
  const offset = String(await freeOffset())
  return startStack({ PORT_OFFSET: offset, DATA_DIR: 'memory', ...environment }, [], ['--strict'])
}

beforeAll(async () => {
  stack = await start({
    WEBHOOK_RETRY_DELAY_MINUTES: '0.02,0.04,0.06',
    // No scan finds what the queue should have brought.
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: '600000',
    ONLY_IN_THE_SHELL: 'yes',
  })
  http = stack.ready.http
})
afterAll(() => stack?.stop())

/** What curl prints: the status, and before it the body. */
function curl(path: string, ...args: readonly string[]) {
  const always = ['-s', '--path-as-is', '-w', '\n%{http_code}', `${http}${path}`]
  const { stdout } = spawnSync('curl', [...always, ...args], { encoding: 'utf8' })
  const [, body = '', status] = /^(.*)\n(\d+)$/s.exec(stdout) ?? []
  return { status: Number(status), body }
}

const bearer = (): readonly string[] => {
  const { body } = curl('/api/auth/login', '-d', 'username=admin', '-d', 'password=admin-demo')
  return ['-H', `Authorization: Bearer ${JSON.parse(body).token}`]
}

const POST_JSON = ['-H', 'Content-Type: application/json', '--data-binary'] as const
const payment = (fields: object) =>
  JSON.stringify({ transactionId: 't', orderId: 'o', status: 'COMPLETED', amount: 1, currency: 'EUR', ...fields })

/** A process that has ended, and that nobody asked for its exit code, does not run. */
function runs(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout)
}

describe('npm start -- --strict', () => {
  it('retries a failed event through the queue', async () => {
    const [transactionId, eventId] = [randomUUID(), randomUUID()]
    expect(curl('/webhooks/payment', ...POST_JSON, payment({ eventId: randomUUID(), transactionId })).status).toBe(200)
    const failing = payment({ eventId, transactionId, orderId: 'another' })
    expect(curl('/webhooks/payment', ...POST_JSON, failing).status).toBe(500)
    const authorization = bearer()
    await vi.waitUntil(() => JSON.parse(curl(`/api/webhooks/events/payment/${eventId}`, ...authorization).body).dead, {
      timeout: 30_000,
      interval: 300,
    })
  })

  it('gives a function only the variables of a deployed one', ({ skip }) => {
    skip(!existsSync('/proc/self/environ'), 'the system shows no environments')
    expect(curl('/api/public/hello').status).toBe(200)
    const environments = stack
      .parts()
      .filter(({ command }) => command.includes('runtime-client'))
      .map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'))
    const hello = environments.find((lines) => lines.includes('AWS_LAMBDA_FUNCTION_NAME=gatehouse-local-publicHello'))
    const names = hello?.map((line) => line.split('=', 1)[0])
    expect(names).toEqual(expect.arrayContaining(['STAGE', 'BASE_URL', 'TMPDIR']))
    for (const name of ['ONLY_IN_THE_SHELL', 'HOME', 'JWT_KEYS', 'USERS_TABLE']) expect(names).not.toContain(name)
  })

  it('passes the check of a deployed stage, with a warning for each renamed header', async () => {
    const environment = { WEBHOOK_SECRETS: JSON.stringify(stack.ready.webhookSecrets) }
    const { code, stdout } = await command('verify', ['--url', http, '--retry', '--json'], environment)
    const { checks } = JSON.parse(stdout) as { checks: readonly { check: string; level: string; seen: string }[] }
    const others = checks.filter(({ level }) => level !== 'ok').map(({ check, level }) => [check, level])
    expect(others, stdout).toEqual([
      ['challenge', 'warn'],
      ['bad token', 'warn'],
      ['burst', 'skipped'],
      ['replay of 20 steps', 'skipped'],
      ['protected tables', 'skipped'],
      ['protected stack', 'skipped'],
    ])
    expect(code).toBe(0)
  })

  it.each(['SIGINT', 'SIGKILL'] as const)('leaves no process behind after %s', async (signal) => {
    const run = await start()
    expect((await fetch(`${run.ready.http}/api/public/hello`)).status).toBe(200)
    const ofFunctions = run.parts().filter(({ command }) => command.includes('runtime-client'))
    expect(ofFunctions).toHaveLength(1)
    const parts = run.parts().map(({ pid }) => pid)
    run.process.kill(signal)
    await vi.waitUntil(() => !parts.some(runs), { timeout: 20_000, interval: 100 })
  })
})
