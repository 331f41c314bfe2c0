import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import { endpoint, fallback, type LambdaHandler } from '../../../../lib/http/endpoint.ts'
import { ok } from '../../../../lib/http/message.ts'
import type { EndpointContext } from '../../../../lib/http/middleware/call.ts'
import { NO_NETWORKS } from '../../../../lib/runtime/address.ts'
import { fixedClock } from '../../../support/fakes/clock.ts'
import { type Call, httpEvent, lambdaContext } from '../../../support/fakes/http.ts'
import { recordingLog } from '../../../support/fakes/log.ts'

const [CURRENT, NEXT] = ['current', 'next'].map((word) => `${word}-${'0'.repeat(32)}`) as [string, string]

const BY_EDGE = { 'gatehouse-edge': CURRENT }
const MESSAGE = 'Call the service by its domain'

function setUp(edgeSecrets?: readonly string[]) {
  const log = recordingLog()
  const refused: unknown[] = []
  const seen: object[] = []
  const app: EndpointContext = {
    ...{ clock: fixedClock(), log, baseUrl: new URL('https://gatehouse.example'), trustedProxies: NO_NETWORKS },
    ...{ trustedOrigins: ['https://partner.example'], profile: 'default' },
    ...(edgeSecrets && { edgeSecrets }),
    refused: (error) => void refused.push(error),
  }
  const hello = endpoint(ROUTES.publicHello, app, ({ event }) => {
    seen.push(event.headers)
    return ok({})
  })
  const webhook = endpoint(ROUTES.webhookPayment, app, () => ok({}))
  const stripe = endpoint(ROUTES.webhookStripe, app, () => ok({}))
  return { hello, webhook, stripe, other: fallback(app), log, refused, seen }
}

async function answerOf(handler: LambdaHandler, call: Call) {
  const { statusCode, body = '', headers } = await handler(httpEvent(call), lambdaContext())
  return { statusCode, body, headers }
}

const HELLO = { path: '/api/public/hello' }

describe('behind an edge', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['without its header', {}],
    ['with another value', { 'gatehouse-edge': CURRENT.toUpperCase() }],
    ['with the beginning of the value', { 'gatehouse-edge': CURRENT.slice(0, -1) }],
    ['with an empty one', { 'gatehouse-edge': '' }],
    ['with the value twice, as the gateway joins them', { 'gatehouse-edge': `${CURRENT},${CURRENT}` }],
    ['with the list of both', { 'gatehouse-edge': `${CURRENT},${NEXT}` }],
    ['that says it was forwarded', { 'x-forwarded-for': '192.0.2.7' }],
  ])('a call %s is refused', async (_, headers) => {
    const { hello, seen } = setUp([CURRENT, NEXT])
    const { statusCode, body } = await answerOf(hello, { ...HELLO, headers })
    expect([statusCode, JSON.parse(body).message, seen]).toEqual([403, MESSAGE, []])
  })

  it('both secrets of a rotation are taken, and the endpoint sees neither', async () => {
    const { hello, seen } = setUp([CURRENT, NEXT])
    for (const secret of [CURRENT, NEXT]) {
      const headers = { 'gatehouse-edge': secret, accept: '*/*' }
      expect((await answerOf(hello, { ...HELLO, headers })).statusCode).toBe(200)
    }
    expect(seen).toEqual([{ accept: '*/*' }, { accept: '*/*' }])
  })

  it('the refusal has the shape of the endpoint, and is not one of a sender', async () => {
    const { webhook, stripe, refused, log } = setUp([CURRENT])
    const sent = { method: 'POST', body: '{}' }
    const { statusCode, body } = await answerOf(webhook, { ...sent, path: '/webhooks/payment' })
    expect([statusCode, JSON.parse(body)]).toEqual([403, expect.objectContaining({ success: false, message: MESSAGE })])
    const other = await answerOf(stripe, { ...sent, path: '/webhooks/stripe' })
    expect([other.statusCode, other.body]).toEqual([403, expect.stringContaining(MESSAGE)])
    expect(other.headers['x-content-type-options']).toBe('nosniff')
    expect(refused).toEqual([])
    expect(JSON.stringify(log)).not.toContain(CURRENT)
  })

  it.each<[string, Call]>([
    [
      'a preflight of a trusted page',
      { method: 'OPTIONS', headers: { origin: 'https://partner.example', 'access-control-request-method': 'POST' } },
    ],
    ['a path without an endpoint', { path: '/nothing' }],
    ['headers that are too large', { headers: { a: 'b'.repeat(11_000) } }],
  ])('nothing else is told first: %s', async (_, call) => {
    const { other } = setUp([CURRENT])
    expect((await answerOf(other, call)).statusCode).toBe(403)
    expect((await answerOf(other, { ...call, headers: { ...call.headers, ...BY_EDGE } })).statusCode).not.toBe(403)
  })
})

it('without an edge the header means nothing', async () => {
  const { hello, seen } = setUp()
  expect((await answerOf(hello, { ...HELLO, headers: BY_EDGE })).statusCode).toBe(200)
  expect(seen).toEqual([BY_EDGE])
})
