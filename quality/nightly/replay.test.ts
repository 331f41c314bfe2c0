import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { adminHeaders } from '../../test/support/admin-headers.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

const EVENTS = 18
/** Every third payment still contradicts what is stored. */
const BROKEN = EVENTS / 3

const data = temporaryFolder()
let environment: Record<string, string>
let stack: Stack

beforeAll(async () => {
  environment = {
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: data.path,
    WEBHOOK_RETRY_DELAY_MINUTES: '0.01,0.02,0.03',
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
  }
  stack = await startStack(environment)
})

afterAll(async () => {
  await stack.stop()
  data.remove()
})

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) }
  const response = await fetch(`${stack.ready.http}${path}`, init)
  return { status: response.status, json: await response.json() }
}

async function get(path: string) {
  const response = await fetch(`${stack.ready.http}${path}`, { headers: await adminHeaders(stack.ready) })
  return response.json() as Promise<Record<string, unknown>>
}

const payment = (index: number, changes: object = {}) => ({
  eventId: `evt-${index}`,
  transactionId: `tx-${index}`,
  orderId: 'order',
  status: 'COMPLETED',
  amount: '1.00',
  currency: 'EUR',
  ...changes,
})

/** What an operator does who finds out that the stored payment was the wrong one. */
async function removePayment(index: number): Promise<void> {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: stack.ready.dynamodb,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  )
  const command = { TableName: 'gatehouse-local-payments', Key: { transactionId: `tx-${index}` } }
  await client.send(new DeleteCommand(command))
}

it('P13 failed events are replayed by filter while SIGKILL ends the whole process tree: each effect happens once, and the counts are exact', async () => {
  for (let index = 0; index < EVENTS; index++) {
    await post('/webhooks/payment', payment(index, { eventId: `first-${index}`, orderId: 'another' }))
    expect((await post('/webhooks/payment', payment(index, { status: 'REFUNDED' }))).status).toBe(500)
  }
  const dead = async () => ((await get('/api/webhooks/events?dead=true&limit=200'))['events'] as unknown[]).length
  await vi.waitUntil(async () => (await dead()) === EVENTS, { timeout: 60_000, interval: 500 })
  for (let index = 0; index < EVENTS; index++) if (index % 3 !== 0) await removePayment(index)

  const replayId = 'after-the-correction'
  const order = { replayId, filter: { source: 'payment', dead: true }, reason: 'corrected', ratePerSecond: 4 }
  const accepted = await post('/api/webhooks/replays', { ...order, dryRun: false }, await adminHeaders(stack.ready))
  expect(accepted).toMatchObject({ status: 202, json: { matched: EVENTS } })
  const path = `/api/webhooks/replays/${replayId}`
  await vi.waitUntil(async () => Number((await get(path))['done']) > 3, { timeout: 30_000, interval: 100 })
  await stack.kill()
  stack = await startStack(environment)
  expect(await get(path)).toMatchObject({ state: 'RUNNING' })

  const isDone = async () => (await get(path))['state'] === 'DONE'
  await vi.waitUntil(isDone, { timeout: 150_000, interval: 1000 })
  const counts = { matched: EVENTS, done: EVENTS - BROKEN, failed: BROKEN }
  expect(await get(path)).toEqual({ replayId, state: 'DONE', ...counts })
  for (let index = 0; index < EVENTS; index++) {
    let event: Record<string, unknown> = {}
    const isAtRest = async () => {
      event = await get(`/api/webhooks/events/payment/evt-${index}`)
      return event['status'] === 'PROCESSED' || event['dead']
    }
    await vi.waitUntil(isAtRest, { timeout: 60_000, interval: 500 })
    expect(event['status']).toBe(index % 3 === 0 ? 'FAILED' : 'PROCESSED')
    const moves = (event['history'] as { by: string; status: string }[]).map(({ by, status }) => `${status} ${by}`)
    expect(moves.filter((move) => move.includes('operator'))).toHaveLength(1)
    expect(moves.filter((move) => move.startsWith('PROCESSED'))).toHaveLength(index % 3 === 0 ? 0 : 1)
  }
})
