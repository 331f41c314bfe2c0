import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventBridgeCarrier } from '../../../../../lib/adapters/eventbridge/carrier.ts'
import { startEventBus } from '../../../../../localstack/stack/emulators/event-bus.ts'
import type { RunPart } from '../../../../../localstack/stack/parts.ts'
import { A_TRACEPARENT, deliveredEvent } from '../../../../support/delivered-event.ts'
import { START } from '../../../../support/fakes/clock.ts'
import { freePort } from '../../../../support/free-port.ts'

const BUS = 'arn:aws:events:eu-central-1:000000000000:event-bus/orders'
const GOOD = { Source: 'a', DetailType: 'b', Detail: '{}' }

let part: RunPart
let endpoint: string

beforeEach(async () => {
  const port = await freePort()
  endpoint = `http://127.0.0.1:${port}`
  part = await startEventBus(port, new URL('http://127.0.0.1:3000'))
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', endpoint)
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await part.stop()
})

async function put(input: unknown, target = 'AWSEvents.PutEvents') {
  const body = typeof input === 'string' ? input : JSON.stringify(input)
  const response = await fetch(endpoint, { method: 'POST', headers: { 'x-amz-target': target }, body })
  return { status: response.status, body: await response.json() }
}

async function kept(): Promise<Record<string, string>[]> {
  const response = await fetch(`${endpoint}/_kept`)
  return JSON.parse(await response.text())
}

describe('the emulator of EventBridge', () => {
  it('accepts deliveries of any size, and shows them', async () => {
    const carrier = eventBridgeCarrier({ target: { to: 'eventbridge', busArn: BUS }, timeout: 5000 })
    for (const payload of [Buffer.from('{"id":"evt_1"}'), Buffer.alloc(1_000_000, 'a')]) {
      const answer = await carrier.carry({
        event: deliveredEvent({ payload }),
        attempt: 1,
        traceparent: A_TRACEPARENT,
        at: START,
      })
      expect(answer).toMatchObject({ kind: 'delivered', answer: 'HTTP 200' })
    }
    const entries = await kept()
    expect(entries).toMatchObject([{ Source: 'gatehouse.stripe', EventBusName: BUS }, { Source: 'gatehouse.stripe' }])
    expect(entries.map(({ Detail = '' }) => JSON.parse(Detail))).toMatchObject([
      { body: '{"id":"evt_1"}' },
      { gatehouse: { ref: 'stripe/evt_1', bytes: 1_000_000 } },
    ])
  })

  it.each<[string, object, string]>([
    ['a detail that is not an object', { Detail: '[]' }, 'MalformedDetail'],
    ['no detail type', { DetailType: '' }, 'InvalidArgument'],
    ['a detail type of 129 characters', { DetailType: 'a'.repeat(129) }, 'InvalidArgument'],
    ['no source', { Source: undefined }, 'InvalidArgument'],
    [
      '256 KB',
      { Detail: JSON.stringify('a'.repeat(262_144)).replace(/.*/s, (text) => `{"a":${text}}`) },
      'InvalidArgument',
    ],
  ])('refuses one entry among others, with HTTP 200: %s', async (_, change, ErrorCode) => {
    const { status, body } = await put({ Entries: [GOOD, { ...GOOD, ...change }] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ FailedEntryCount: 1, Entries: [{ EventId: expect.any(String) }, { ErrorCode }] })
    expect(await kept()).toEqual([GOOD])
  })

  it.each<[string, unknown]>([
    ['no entries', { Entries: [] }],
    ['11 entries', { Entries: Array(11).fill(GOOD) }],
    ['entries that are not a list', { Entries: [1] }],
    ['no JSON', '{'],
  ])('refuses a request with %s', async (_, input) => {
    expect(await put(input)).toEqual({ status: 400, body: { __type: 'ValidationException' } })
  })

  it('supports no other action', async () => {
    expect(await put({}, 'AWSEvents.PutRule')).toEqual({ status: 400, body: { __type: 'UnknownOperationException' } })
  })

  it('keeps the last 1,000 entries', async () => {
    for (let round = 0; round < 101; round++) {
      await put({
        Entries: Array.from({ length: 10 }, (_, index) => ({ ...GOOD, DetailType: `${round * 10 + index}` })),
      })
    }
    const entries = await kept()
    expect([entries.length, entries[0]?.['DetailType'], entries[999]?.['DetailType']]).toEqual([1000, '10', '1009'])
  })

  it('refuses web pages', async () => {
    const response = await fetch(`${endpoint}/_kept`, { headers: { origin: 'https://evil.example' } })
    expect(response.status).toBe(403)
  })
})
