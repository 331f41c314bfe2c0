import { createHmac, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sign } from '@octokit/webhooks-methods'
import { describe, expect, inject, it, vi } from 'vitest'
import { type Answer, type Call, call } from '../support/client.ts'
import { eventDetail } from '../support/events.ts'

type Headers = NonNullable<Call['headers']>

const secret = () => inject('ready').webhookSecrets['github'] ?? ''

/** The headers of a delivery, signed by GitHub's own library. */
async function signed(body: string, event: string, delivery: string = randomUUID()): Promise<Headers> {
  return {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': delivery,
    'x-hub-signature-256': await sign(secret(), body),
  }
}

/** The same over bytes that the library cannot sign. */
function signedBytes(body: Buffer, delivery: string): Headers {
  const signature = `sha256=${createHmac('sha256', secret()).update(body).digest('hex')}`
  return { 'x-github-event': 'push', 'x-github-delivery': delivery, 'x-hub-signature-256': signature }
}

function post(body: string | Buffer, headers: Headers): Promise<Answer> {
  return call('/webhooks/github', { method: 'POST', headers, body })
}

/** A payload of which there is only one. */
function push(changes: object = {}): string {
  const commits = [{ id: randomUUID() }, { id: randomUUID() }]
  return JSON.stringify({ ref: 'refs/heads/main', commits, pusher: { name: 'octocat' }, ...changes })
}

/** The event once its handler ran, which may be after the acknowledgement. */
function processed(delivery: string): Promise<Answer['json']> {
  const find = async () => {
    const { json } = await eventDetail('github', delivery)
    return json.status === 'PROCESSED' && json
  }
  return vi.waitUntil(find, { timeout: 20_000, interval: 100 })
}

function expectReceived({ status, text, headers }: Answer): void {
  expect(text).toBe('Webhook received')
  expect(status).toBe(200)
  expect(headers['content-type']).toContain('text/plain')
}

describe('POST /webhooks/github answers 200 with a plain-text acknowledgement', () => {
  const pullRequest = { action: 'opened', number: 7, pull_request: { base: { ref: 'main' }, head: { ref: 'feature' } } }

  it.each([
    ['push', push({ ref: 'refs/heads/🚀' }), 'push to refs/heads/🚀: 2 commits by octocat'],
    ['pull_request', JSON.stringify({ ...pullRequest, note: randomUUID() }), 'pull request #7 opened: main <- feature'],
    ['ping', JSON.stringify({ zen: randomUUID() }), 'no action'],
  ])('event names push and pull_request run their handlers, others none: %s %s', async (event, body, outcome) => {
    const delivery = randomUUID()
    expectReceived(await post(body, { ...(await signed(body, event, delivery)), cookie: 'a=b' }))
    const stored = await processed(delivery)
    expect(stored.headers).toEqual({
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': delivery,
    })
    expect(stored).toMatchObject({
      source: 'github',
      eventId: delivery,
      eventType: event,
      outcome,
      errorMessage: null,
      payload: body,
      payloadEncoding: 'utf8',
    })
  })

  it('a repeated delivery is not processed again; under another delivery id it is an event of its own, marked', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    const body = push()
    const headers = await signed(body, 'push', first)
    expectReceived(await post(body, headers))
    const { id, history } = await processed(first)
    expectReceived(await post(body, headers))
    expect((await eventDetail('github', first)).json).toMatchObject({ id, history })
    expectReceived(await post(body, { ...headers, 'x-github-delivery': second }))
    expect(await processed(second)).toMatchObject({ possibleDuplicateOf: first, payload: body })
  })

  it('a form with the field payload is accepted with a signature over the form as it was sent', async () => {
    const delivery = randomUUID()
    const body = new URLSearchParams({ payload: push({ ref: 'refs/heads/a+b &=% 🚀' }) }).toString()
    const headers = await signed(body, 'push', delivery)
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    expectReceived(await post(body, { ...headers, ...type }))
    expect(await processed(delivery)).toMatchObject({
      outcome: 'push to refs/heads/a+b &=% 🚀: 2 commits by octocat',
      payload: body,
    })
    expect((await post(`${body}&a=b`, { ...headers, ...type })).status).toBe(401)
  })
})

describe('POST /webhooks/github answers 401 with a plain-text message when verification fails', () => {
  it('with the secret of another provider: nothing is stored', async () => {
    const [body, delivery] = [push(), randomUUID()]
    const { status, text, headers } = await post(body, {
      ...(await signed(body, 'push', delivery)),
      'x-hub-signature-256': await sign(inject('ready').webhookSecrets['stripe'] ?? '', body),
    })
    expect([status, text]).toEqual([401, 'Invalid signature'])
    expect(headers['www-authenticate']).toBeUndefined()
    expect(headers['content-type']).toContain('text/plain')
    expect((await eventDetail('github', delivery)).status).toBe(404)
  })
})

describe('a signed delivery is never refused for its content', () => {
  it('with bytes that are not UTF-8: it is stored for the operators and never processed', async () => {
    const delivery = randomUUID()
    const bytes = Buffer.from(`{"ref":"\xff"}\n#${delivery}`, 'latin1')
    expectReceived(await post(bytes, signedBytes(bytes, delivery)))
    const { json } = await eventDetail('github', delivery)
    expect(json).toMatchObject({ status: 'FAILED', dead: true, nextRetryAt: null })
    expect(json.errorMessage).toMatch(/^Validation failed: /)
    expect(Buffer.from(json.payload, json.payloadEncoding).equals(bytes)).toBe(true)
  })

  it('under a coding: its bytes and the coding are stored', async () => {
    const delivery = randomUUID()
    const body = gzipSync(push())
    const headers = { ...signedBytes(body, delivery), 'content-encoding': 'deflate, GZIP' }
    expectReceived(await post(body, headers))
    const { json } = await eventDetail('github', delivery)
    const errorMessage = 'body is encoded: deflate, gzip'
    expect(json).toMatchObject({ eventType: 'push', status: 'FAILED', dead: true, errorMessage })
    expect(json.headers['content-encoding']).toBe('deflate, gzip')
    expect(json.payloadEncoding).toBe('base64')
    expect(Buffer.from(json.payload, 'base64').equals(body)).toBe(true)
  })

  it('no event name: 400, but only after the signature is verified', async () => {
    const body = push()
    const { 'x-github-event': _, ...headers } = await signed(body, 'push')
    const { status, text, headers: answered } = await post(body, headers)
    expect(text).toBe('Validation failed: x-github-event is required')
    expect(status).toBe(400)
    expect(answered['content-type']).toContain('text/plain')
    expect((await post(`${body} `, headers)).status).toBe(401)
  })
})
