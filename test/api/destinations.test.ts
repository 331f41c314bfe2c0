import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, type Call, call } from '../support/client.ts'
import { payment, postJson, postPayment } from '../support/events.ts'

const EVENTS = '/api/webhooks/events/payment'

async function ask(path: string, request: Call = {}, user = 'admin'): Promise<Answer> {
  const { headers } = bearer(await tokenOf(user))
  return call(path, { ...request, headers: { ...request.headers, ...headers } })
}

async function storedEvent(): Promise<string> {
  const body = payment()
  await postPayment(body)
  return String(body['eventId'])
}

describe('a service without destinations', () => {
  it('lists none', async () => {
    const { status, json } = await ask('/api/destinations')
    expect([status, json]).toEqual([200, { destinations: [] }])
  })

  it('lists no delivery of an event, and finds none of an unknown one', async () => {
    const { status, json } = await ask(`${EVENTS}/${await storedEvent()}/deliveries`)
    expect([status, json]).toEqual([200, { deliveries: [], others: [] }])
    const unknown = await ask(`${EVENTS}/nothing/deliveries`)
    expect([unknown.status, unknown.json.message]).toEqual([404, 'Webhook event not found'])
  })

  it('finds none whose deliveries could be listed', async () => {
    const { status, json } = await ask('/api/destinations/crm/deliveries?state=DEAD&state=PARKED')
    expect([status, json.message]).toEqual([404, 'Destination not found'])
  })

  it('finds none that could be enabled, disabled, tested or sent an event again', async () => {
    const orders = ['enable', 'disable', 'test'].map((order) => `/api/destinations/crm/${order}`)
    for (const path of [...orders, `${EVENTS}/nothing/deliveries/crm/retry`]) {
      const { status, json } = await ask(path, { method: 'POST' })
      expect([path, status, json.message]).toEqual([path, 404, 'Destination not found'])
    }
  })

  it('finds none for a replay', async () => {
    const order = { replayId: `replay-${crypto.randomUUID()}`, filter: {}, destination: 'crm' }
    for (const dryRun of [true, false]) {
      const { status, json } = await ask('/api/webhooks/replays', postJson({ ...order, dryRun }))
      expect([status, json.message]).toEqual([404, 'Destination not found'])
    }
  })
})

it.each([
  ['/api/destinations/crm/enable', { why: 'x' }, 'why'],
  ['/api/destinations/crm/disable', { reason: 1 }, 'reason'],
  [`${EVENTS}/nothing/deliveries/crm/retry`, { user: 'somebody-else' }, 'user'],
  ['/api/webhooks/replays', { replayId: 'r-1', destination: 'crm', filter: { status: 'FAILED' } }, 'filter.status'],
])('P10 %s answers 400 to %j', async (path, body, field) => {
  const { status, json } = await ask(path, postJson(body))
  expect(status).toBe(400)
  expect(json.details.validationErrors[0].field).toBe(field)
})

it.each([
  ['GET', '/api/destinations'],
  ['POST', '/api/destinations/crm/enable'],
  ['POST', '/api/destinations/crm/disable'],
  ['POST', '/api/destinations/crm/test'],
  ['GET', `${EVENTS}/nothing/deliveries`],
  ['POST', `${EVENTS}/nothing/deliveries/crm/retry`],
])('P01 %s %s is for admins', async (method, path) => {
  expect((await call(path, { method })).status).toBe(401)
  expect((await ask(path, { method }, 'user')).status).toBe(403)
})
