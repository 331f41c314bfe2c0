import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { adminHeaders } from '../../test/support/admin-headers.ts'
import { command } from '../../test/support/command.ts'
import { freeOffset, type Stack, startStack } from '../../test/support/stack.ts'

let stack: Stack

beforeAll(async () => {
  const environment = {
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: 'memory',
    WEBHOOK_RETRY_DELAY_MINUTES: '0.02,0.04,0.06',
    // No scan finds what the queue should have brought.
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: '600000',
  }
  stack = await startStack(environment, [], ['--strict'])
})
afterAll(() => stack?.stop())

it('npm start -- --strict retries a failed event through the queue', async () => {
  const post = async (eventId: string, orderId: string) => {
    const payment = { eventId, orderId, transactionId: 't', status: 'COMPLETED', amount: 1, currency: 'EUR' }
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(payment) }
    return (await fetch(`${stack.ready.http}/webhooks/payment`, request)).status
  }
  expect([await post('one', 'o'), await post('two', 'another')]).toEqual([200, 500])
  const headers = await adminHeaders(stack.ready)
  const read = async () => (await fetch(`${stack.ready.http}/api/webhooks/events/payment/two`, { headers })).json()
  await vi.waitUntil(async () => ((await read()) as { readonly dead: boolean }).dead, { timeout: 30_000 })
})

it('npm start -- --strict passes the check of a deployed stage, with a warning for each renamed header', async () => {
  const environment = { WEBHOOK_SECRETS: JSON.stringify(stack.ready.webhookSecrets) }
  const { code, stdout } = await command('verify', ['--url', stack.ready.http, '--json'], environment)
  const { findings } = JSON.parse(stdout) as { findings: readonly { check: string; level: string }[] }
  const others = findings.filter(({ level }) => level !== 'ok' && level !== 'skipped')
  expect(others).toMatchObject([
    { check: 'challenge', level: 'warn' },
    { check: 'bad token', level: 'warn' },
  ])
  expect(code).toBe(0)
})
