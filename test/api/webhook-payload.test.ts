import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { eventPayload, genericSignature } from '../support/events.ts'

/** Stores a body that names a new event, and says of which type it is. */
async function store(type: string, bodyOf: (eventId: string) => string) {
  const eventId = randomUUID()
  const body = bodyOf(eventId)
  const headers = { 'content-type': type, ...genericSignature(body, undefined, 'demo') }
  expect((await call('/webhooks/demo', { method: 'POST', headers, body })).status).toBe(200)
  return { eventId, body }
}

const policyOf = ({ headers }: Answer) => [
  // The local gateway puts a charset behind it.
  String(headers['content-type']).replace('; charset=utf-8', ''),
  headers['content-disposition'],
  headers['content-security-policy'],
  headers['x-content-type-options'],
]

const SANDBOX = ["sandbox; default-src 'none'", 'nosniff']

describe('GET /api/webhooks/events/{source}/{eventId}/payload', () => {
  it('C11 answers with the bytes as they came, as a file of their type that no browser shows or runs', async () => {
    const { eventId, body } = await store(
      'application/json',
      (eventId) => `{"eventId":"${eventId}",  "amount":10.00 ,"note":"\u00e9\\u00e9"}\r\n`,
    )
    const answer = await eventPayload('demo', eventId)
    expect([answer.status, answer.text]).toEqual([200, body])
    expect(policyOf(answer)).toEqual(['application/json', `attachment; filename="demo-${eventId}.json"`, ...SANDBOX])
  })

  it('P09 answers 404 for an unknown event', async () => {
    expect((await eventPayload('payment', 'nothing')).json.message).toBe('Webhook event not found')
  })

  it('P01 is for admins: 401 without credentials, 403 for a user', async () => {
    const path = '/api/webhooks/events/payment/nothing/payload'
    expect((await call(path)).status).toBe(401)
    expect((await call(path, bearer(await tokenOf('user')))).status).toBe(403)
  })

  it('accepts the session of an admin, as a link of the console needs it', async () => {
    const { eventId, body } = await store('text/plain', (eventId) => JSON.stringify({ eventId }))
    const client = new CookieClient()
    await client.login('jdbcadmin', 'jdbcadmin-demo')
    const { status, text } = await client.call(`/api/webhooks/events/demo/${eventId}/payload`)
    expect([status, text]).toEqual([200, body])
  })
})
