import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { bearer, call } from '../support/client.ts'
import { eventDetail, genericSignature } from '../support/events.ts'

/** Queries as senders write them, some of which a decoder would write otherwise. */
const QUERIES = [
  'bar=a%20b',
  'b=/x',
  'b=1,2',
  'b',
  'b=a:b',
  'b=%c3%a9',
  'b=%C3%A9',
  'a=+',
  'a&a',
  'a=&a=',
  'a==b',
  '=a',
  '&',
  'a=1&&b=2',
  '?',
  'a=?',
  'a=%7E~*!()',
  "a='x'",
  'a=[0]&a=[1]',
  'a=%zz',
  '__proto__=1&constructor=2',
]

describe('the query of a request reaches the function as it was sent', () => {
  it.each(QUERIES)('?%s', async (query) => {
    // A page that is asked for under another loopback name leads to the same address under its own.
    const { port } = new URL(inject('http'))
    const { status, headers } = await call(`/login?${query}`, { headers: { host: `localhost:${port}` } })
    expect([status, headers['location']]).toEqual([302, `${inject('http')}/login?${query}`])
  })

  it('no query, if nothing follows the question mark', async () => {
    const { port } = new URL(inject('http'))
    const { headers } = await call('/login?', { headers: { host: `localhost:${port}` } })
    expect(headers['location']).toBe(`${inject('http')}/login`)
  })

  it.each(QUERIES)('a signature over an address with ?%s is valid', async (query) => {
    const address = `${inject('http')}/webhooks/twilio?${query}`
    const fields = { MessageSid: `SM${randomUUID()}`, MessageStatus: 'sent' }
    const signed = address + Object.entries(fields).flat().join('')
    const signature = createHmac('sha1', inject('ready').webhookSecrets['twilio'] ?? '')
      .update(signed)
      .digest('base64')
    const { status, text } = await call(`/webhooks/twilio?${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'i-twilio-idempotency-token': randomUUID(),
        'x-twilio-signature': signature,
      },
      body: new URLSearchParams(fields).toString(),
    })
    expect([status, text]).toEqual([200, expect.any(String)])
  })
})

describe('a body without a content type', () => {
  const user = () => ({ username: `untyped-${randomUUID()}`, password: 'long enough', role: 'USER' })

  it('is not JSON: 415', async () => {
    const { headers } = bearer(await tokenOf('admin'))
    const request = { method: 'POST', body: JSON.stringify(user()) }
    expect((await call('/api/users', { ...request, headers: headers ?? {} })).status).toBe(415)
  })

  it('is not JSON with an empty content type either: 415', async () => {
    const { headers } = bearer(await tokenOf('admin'))
    const request = { method: 'POST', body: JSON.stringify(user()) }
    expect((await call('/api/users', { ...request, headers: { ...headers, 'content-type': '' } })).status).toBe(415)
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    ['no content type, if the sender sent none', {}],
    ['the content type of the sender', { 'content-type': 'text/plain; charset="x"' }],
  ])('has in the stored headers of a webhook %s', async (_, typed) => {
    const eventId = randomUUID()
    const body = JSON.stringify({ eventId, eventType: 'untyped' })
    const headers = { ...genericSignature(body, Math.floor(Date.now() / 1000), 'demo'), ...typed }
    expect((await call('/webhooks/demo', { method: 'POST', headers, body })).status).toBe(200)
    const { json } = await eventDetail('demo', eventId)
    const type = Object.entries(json.headers).filter(([name]) => name === 'content-type')
    expect(type).toEqual(Object.entries(typed))
  })
})
