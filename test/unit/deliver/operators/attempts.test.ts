import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import { secret } from '../../../../lib/config.ts'
import { deliveryEnvelope, ENVELOPE_BYTES } from '../../../../lib/deliver/carrier.ts'
import type { Delivery, DeliveryMove } from '../../../../lib/deliver/delivery.ts'
import type { Target } from '../../../../lib/deliver/destination.ts'
import { httpHeaders } from '../../../../lib/deliver/http-headers.ts'
import { shownMoves } from '../../../../lib/deliver/operators/attempts.ts'
import { eventTraceId } from '../../../../lib/runtime/trace.ts'
import { deliveredEvent } from '../../../support/delivered-event.ts'
import { START } from '../../../support/fakes/clock.ts'

const EVENT = deliveredEvent({ payload: Buffer.from(`é${'a'.repeat(5000)}`) })
const TRACE = eventTraceId(EVENT)
const END = new Date(START.getTime() + 300)
const MOVE: DeliveryMove = { at: END, status: 'PENDING', attempt: 2, replayId: 'r', ms: 300, url: 'crm.example' }

const HEADERS = new Map<string, string | ReturnType<typeof secret>>([
  ['X-Key', secret('key')],
  ['authorization', 'Basic abc'],
  ['x-note', 'é'],
])
const HTTP: Target = { to: 'http', url: 'https://crm.example/hooks/s3cret', isPrivate: false, headers: HEADERS }
const QUEUE: Target = { to: 'sqs', queueArn: 'arn:aws:sqs:eu-west-1:1:q', group: undefined }

function shown(
  target: Target | undefined,
  moves: readonly DeliveryMove[] = [MOVE],
  event: typeof EVENT | undefined = EVENT,
) {
  const facts = { source: 'stripe', eventId: 'evt_1', destination: 'crm', id: 1n, eventType: 'T', receivedAt: START }
  const delivery: Delivery = { ...facts, status: 'PENDING', attempts: 1, endsAt: START, history: moves }
  return shownMoves(delivery, { event, target })
}

it('the request of an attempt is the one that was sent, without its secrets', () => {
  const value = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`
  const secrets = new Map([...['crm', 'key'].map((name) => [name, [{ value }]] as const)])
  const parcel = { event: EVENT, attempt: 2, replayId: 'r', traceparent: `00-${TRACE}-0123456789abcdef-01`, at: START }
  const sent = httpHeaders(parcel, { name: 'crm', target: HTTP }, secrets)
  const [attempt] = shown(HTTP)
  const hidden = { 'x-key': '…', authorization: '…', 'webhook-signature': '…', traceparent: `00-${TRACE}-…-01` }
  expect(attempt?.request).toMatchObject({ method: 'POST', url: 'crm.example', encoding: 'utf8', truncated: true })
  expect(attempt?.request?.headers).toEqual({ ...sent.headers, ...hidden })
  expect(attempt?.request?.body).toBe(`é${'a'.repeat(4094)}`)
  expect(JSON.stringify(attempt)).not.toMatch(/s3cret|abc"|whsec/)
})

it('the request to a queue is its envelope, and that to a handler the event', () => {
  const [toQueue] = shown(QUEUE)
  const parcel = { event: EVENT, attempt: 2, replayId: 'r', traceparent: `00-${TRACE}-…-01`, at: START }
  expect(toQueue?.request).toMatchObject({ method: 'SendMessage', headers: {} })
  expect(toQueue?.request?.body).toBe(deliveryEnvelope(parcel, ENVELOPE_BYTES.sqs).slice(0, 4096))
  const [toHandler] = shown({ to: 'handler', path: 'stripe/a', memory: 1, secrets: [], rights: [] })
  expect(toHandler?.request).toMatchObject({ method: null, headers: EVENT.headers })
})

it('of an event without payload, and for a removed destination, only the address is known', () => {
  const request = { method: null, url: 'crm.example', headers: {}, body: null, encoding: 'utf8', truncated: true }
  expect(shown(undefined)).toMatchObject([{ request }])
  const [gone] = shownMoves({ history: [MOVE] } as unknown as Delivery, { event: undefined, target: HTTP })
  expect(gone).toMatchObject({ request })
})

it('an order of an operator has no request, and only the last three attempts show their body', () => {
  const order: DeliveryMove = { at: END, status: 'PENDING', user: 'admin' }
  const bodies = shown(HTTP, [MOVE, { ...MOVE }, order, { ...MOVE }, { ...MOVE }]).map(({ request }) => request?.body)
  expect(bodies.map((body) => (body === undefined ? 'none' : body === null ? 'hidden' : 'shown'))).toEqual([
    'hidden',
    'shown',
    'none',
    'shown',
    'shown',
  ])
})
