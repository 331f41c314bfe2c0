import { createHash, createHmac, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sign } from '@octokit/webhooks-methods'
import { describe, expect, inject, it, vi } from 'vitest'
import { type Answer, type Call, call } from '../support/client.ts'
import { eventDetail, genericSignature } from '../support/events.ts'

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
function signedBytes(body: Buffer, headers: Headers = {}): Headers {
  const signature = `sha256=${createHmac('sha256', secret()).update(body).digest('hex')}`
  return { 'x-github-event': 'push', 'x-github-delivery': randomUUID(), 'x-hub-signature-256': signature, ...headers }
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
    ['push', push(), 'push to refs/heads/main: 2 commits by octocat'],
    ['push', push({ ref: 'refs/heads/🚀' }), 'push to refs/heads/🚀: 2 commits by octocat'],
    ['push', JSON.stringify({ note: randomUUID() }), 'push without a ref'],
    ['pull_request', JSON.stringify({ ...pullRequest, note: randomUUID() }), 'pull request #7 opened: main <- feature'],
  ])('event names push and pull_request run their handlers: %s %s', async (event, body, outcome) => {
    const delivery = randomUUID()
    expectReceived(await post(body, await signed(body, event, delivery)))
    expect(await processed(delivery)).toMatchObject({
      source: 'github',
      eventId: delivery,
      eventType: event,
      outcome,
      errorMessage: null,
      payload: body,
      payloadEncoding: 'utf8',
    })
  })

  it.each(['ping', 'issues', 'workflow_run', 'constructor'])(
    'other names are logged and acknowledged: %s',
    async (event) => {
      const delivery = randomUUID()
      const body = JSON.stringify({ zen: delivery })
      expectReceived(await post(body, await signed(body, event, delivery)))
      expect(await processed(delivery)).toMatchObject({ eventType: event, outcome: 'no action' })
    },
  )

  it('stores the event name and the delivery id of the headers, and no signature', async () => {
    const delivery = randomUUID()
    const body = push()
    const headers = { ...(await signed(body, 'push', delivery)), 'user-agent': 'GitHub-Hookshot/1', cookie: 'a=b' }
    await post(body, { ...headers, 'x-hub-signature': 'sha1=0', 'x-github-hook-id': '1' })
    expect((await processed(delivery)).headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/1',
      'x-github-event': 'push',
      'x-github-delivery': delivery,
    })
  })

  it('a repeated delivery is acknowledged and not processed again', async () => {
    const delivery = randomUUID()
    const body = push()
    const headers = await signed(body, 'push', delivery)
    expectReceived(await post(body, headers))
    const { id, history } = await processed(delivery)
    expectReceived(await post(body, headers))
    expect((await eventDetail('github', delivery)).json).toMatchObject({ id, history })
  })

  it('an equal body under another delivery id is an event of its own, marked and processed', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    const body = push()
    expectReceived(await post(body, await signed(body, 'push', first)))
    await processed(first)
    expectReceived(await post(body, await signed(body, 'push', second)))
    expect(await processed(second)).toMatchObject({ possibleDuplicateOf: first, payload: body })
  })

  it('a delivery without an id is acknowledged', async () => {
    const body = push()
    const { 'x-github-delivery': _delivery, ...headers } = await signed(body, 'push')
    expectReceived(await post(body, headers))
    expectReceived(await post(body, headers))
  })

  it('a form with the field payload is accepted with a signature over the form as it was sent', async () => {
    const delivery = randomUUID()
    const body = new URLSearchParams({ payload: push({ ref: 'refs/heads/a+b &=% 🚀' }) }).toString()
    const headers = await signed(body, 'push', delivery)
    expectReceived(await post(body, { ...headers, 'content-type': 'application/x-www-form-urlencoded' }))
    expect(await processed(delivery)).toMatchObject({
      outcome: 'push to refs/heads/a+b &=% 🚀: 2 commits by octocat',
      payload: body,
    })
  })

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded'])(
    'the content type is ignored: JSON as %s',
    async (type) => {
      const body = push()
      const { 'content-type': _json, ...headers } = await signed(body, 'push')
      expectReceived(await post(body, type === undefined ? headers : { ...headers, 'content-type': type }))
    },
  )
})

describe('POST /webhooks/github answers 401 with a plain-text message when verification fails', () => {
  const sha1 = (body: string) => `sha1=${createHmac('sha1', secret()).update(body).digest('hex')}`

  it.each<[string, (body: string) => Headers | Promise<Headers>]>([
    ['no signature', () => ({})],
    ['an empty signature', () => ({ 'x-hub-signature-256': '' })],
    ['the legacy SHA-1 header alone', (body) => ({ 'x-hub-signature': sha1(body) })],
    ['SHA-1 under the new name', (body) => ({ 'x-hub-signature-256': sha1(body) })],
    ['another secret', async (body) => ({ 'x-hub-signature-256': await sign('other', body) })],
    [
      'the secret of Stripe',
      async (body) => ({ 'x-hub-signature-256': await sign(inject('ready').webhookSecrets['stripe'] ?? '', body) }),
    ],
    ['another body', async (body) => ({ 'x-hub-signature-256': await sign(secret(), `${body} `) })],
    ['no prefix', async (body) => ({ 'x-hub-signature-256': (await sign(secret(), body)).slice('sha256='.length) })],
    ['upper case', async (body) => ({ 'x-hub-signature-256': (await sign(secret(), body)).toUpperCase() })],
    [
      'upper-case hexadecimal',
      async (body) => ({ 'x-hub-signature-256': `sha256=${(await sign(secret(), body)).slice(7).toUpperCase()}` }),
    ],
    ['a signature cut short', async (body) => ({ 'x-hub-signature-256': (await sign(secret(), body)).slice(0, -1) })],
    ['a prefix without a signature', () => ({ 'x-hub-signature-256': 'sha256=' })],
    ['the generic scheme', (body) => genericSignature(body, undefined, 'github')],
  ])('%s: nothing is stored', async (_what, headersOf) => {
    const delivery = randomUUID()
    const body = push()
    const { status, text, headers } = await post(body, {
      'x-github-event': 'push',
      'x-github-delivery': delivery,
      ...(await headersOf(body)),
    })
    expect(text).toBe('Invalid signature')
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBeUndefined()
    expect(headers['content-type']).toContain('text/plain')
    expect((await eventDetail('github', delivery)).status).toBe(404)
  })

  it('W32 a tampered form is refused', async () => {
    const body = `payload=${encodeURIComponent(push())}`
    expect((await post(`${body}&a=b`, await signed(body, 'push'))).status).toBe(401)
    expect((await post(decodeURIComponent(body), await signed(body, 'push'))).status).toBe(401)
  })
})

describe('a signed delivery is never refused for its content', () => {
  it.each<[string, string | Buffer]>([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['half of a JSON text', '{"ref":'],
    ['bytes that are not UTF-8', Buffer.from('{"ref":"\xff"}', 'latin1')],
    ['bytes that are not UTF-8, in a form', Buffer.from('payload={"ref":"\xff"}', 'latin1')],
    ['a form whose escapes are not UTF-8', 'payload=%7B%22ref%22%3A%22%FF%22%7D'],
    ['a form without JSON', 'payload=hello'],
    ['101 levels', `${'['.repeat(101)}${']'.repeat(101)}`],
  ])('%s: it is stored for the operators and never processed', async (_, body) => {
    const delivery = randomUUID()
    const bytes = Buffer.concat([Buffer.from(body), Buffer.from(`\n#${delivery}`)])
    expectReceived(await post(bytes, { ...signedBytes(bytes), 'x-github-delivery': delivery }))
    const { json } = await eventDetail('github', delivery)
    expect(json).toMatchObject({ status: 'FAILED', dead: true, nextRetryAt: null })
    expect(json.errorMessage).toMatch(/^Validation failed: /)
    expect(Buffer.from(json.payload, json.payloadEncoding).equals(bytes)).toBe(true)
  })

  it.each(['gzip', 'BR', 'deflate, gzip'])(
    'under the coding %s: its bytes and the coding are stored',
    async (coding) => {
      const delivery = randomUUID()
      const body = gzipSync(push())
      const headers = { ...signedBytes(body), 'x-github-delivery': delivery, 'content-encoding': coding }
      expectReceived(await post(body, headers))
      const { json } = await eventDetail('github', delivery)
      const errorMessage = `body is encoded: ${coding.toLowerCase()}`
      expect(json).toMatchObject({ eventType: 'push', status: 'FAILED', dead: true, errorMessage })
      expect(json.headers['content-encoding']).toBe(coding.toLowerCase())
      expect(json.payloadEncoding).toBe('base64')
      expect(Buffer.from(json.payload, 'base64').equals(body)).toBe(true)
      expect((await post(Buffer.concat([body, body]), headers)).status).toBe(401)
    },
  )

  it.each(['identity', '', 'UTF-8', ' utf8 '])('under "%s", which is no coding: it is processed', async (coding) => {
    const delivery = randomUUID()
    const body = push()
    expectReceived(await post(body, { ...(await signed(body, 'push', delivery)), 'content-encoding': coding }))
    expect((await processed(delivery)).headers).not.toHaveProperty('content-encoding')
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

  it('a readable body is accepted under the id of an unreadable one', async () => {
    const delivery = randomUUID()
    const [broken, body] = [`{${delivery}`, push()]
    expectReceived(await post(broken, await signed(broken, 'push', delivery)))
    expectReceived(await post(body, await signed(body, 'push', delivery)))
    const other = `${delivery}~${createHash('sha256').update(body).digest('hex').slice(0, 16)}`
    expect((await eventDetail('github', other)).json).toMatchObject({ payload: body, idConflict: { count: 1 } })
  })

  it('W31 over 4 MiB: 413', async () => {
    const body = push({ note: 'x'.repeat(4 * 1024 * 1024) })
    const { status, text } = await post(body, await signed(body, 'push'))
    expect(text).toBe('Payload too large')
    expect(status).toBe(413)
  })
})
