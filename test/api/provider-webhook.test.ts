import { createHmac, randomUUID, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, inject, it, vi } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, type Call, call } from '../support/client.ts'
import { eventDetail, genericSignature, payment } from '../support/events.ts'

type Headers = Readonly<Record<string, string>>

const JSON_TYPE = { 'content-type': 'application/json' }

const secretOf = (name: string) => inject('ready').webhookSecrets[name] ?? ''
const seconds = () => String(Math.floor(Date.now() / 1000))
const addressOf = (path: string) => `${inject('http')}${path}`

function post(path: string, body: string | Buffer, headers: Call['headers'] = {}): Promise<Answer> {
  return call(path, { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } })
}

function mac(name: string, text: string | Buffer, encoding: 'hex' | 'base64' = 'hex', hash = 'sha256'): string {
  return createHmac(hash, secretOf(name)).update(text).digest(encoding)
}

function versioned(name: string, body: string, header: string, timeHeader: string): Headers {
  const time = seconds()
  return { [header]: `v0=${mac(name, `v0:${time}:${body}`)}`, [timeHeader]: time }
}

const slack = (body: string) => versioned('slack', body, 'x-slack-signature', 'x-slack-request-timestamp')
const zoom = (body: string) => versioned('zoom', body, 'x-zm-signature', 'x-zm-request-timestamp')

function discord(body: string): Headers {
  const time = seconds()
  const signature = sign(null, Buffer.from(time + body), inject('discordKey')).toString('hex')
  return { 'x-signature-ed25519': signature, 'x-signature-timestamp': time }
}

const TWITCH = 'twitch-eventsub-message'

/** With a time as Twitch writes it, in nanoseconds. */
function twitch(id: string, body: string): Headers {
  const time = new Date().toISOString().replace('Z', '067130Z')
  return {
    [`${TWITCH}-id`]: id,
    [`${TWITCH}-timestamp`]: time,
    [`${TWITCH}-signature`]: `sha256=${mac('twitch', id + time + body)}`,
  }
}

function paypal(id: string, body: string, at = new Date()): Headers {
  const { key, webhookId } = inject('paypal')
  const time = at.toISOString()
  const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`)
  return {
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('sha256', signed, key).toString('base64'),
  }
}

/** A notification of one item, signed. */
function adyenBody(item: Readonly<Record<string, string>>): string {
  const key = Buffer.from(secretOf('adyen'), 'hex')
  const signed = `${item['pspReference'] ?? ''}::::::${item['eventCode']}:${item['success'] ?? ''}`
  const additionalData = { hmacSignature: createHmac('sha256', key).update(signed).digest('base64') }
  return JSON.stringify({ notificationItems: [{ NotificationRequestItem: { ...item, additionalData } }] })
}

interface Sent {
  readonly path?: string
  readonly body: string
  readonly headers: Headers
  readonly eventId: string
  readonly eventType: string
  /** What is kept of the headers. */
  readonly kept?: Headers
  /** The text of the answer, if it is not the usual one. */
  readonly answer?: string
}

/** An event of each kind of scheme, signed with nothing of the product. */
const EVENTS: Readonly<Record<string, (id: string) => Sent>> = {
  demo(id) {
    const body = `{ "eventId": "${id}", "eventType": "made.up",  "ü": 1.0 }`
    return { body, headers: genericSignature(body, Number(seconds()), 'demo'), eventId: id, eventType: 'made.up' }
  },
  'standard-webhooks'(id) {
    const body = '{"type":"order.updated"}'
    const now = new Date()
    const signature = new StandardWebhook(secretOf('standard-webhooks')).sign(id, now, body)
    const kept = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)) }
    return { body, headers: { ...kept, 'webhook-signature': signature }, eventId: id, eventType: 'order.updated', kept }
  },
  gitlab(id) {
    const kept = { 'x-gitlab-event': 'Push Hook', 'idempotency-key': id }
    const headers = { ...kept, 'x-gitlab-token': secretOf('gitlab') }
    return { body: JSON.stringify({ id }), headers, eventId: id, eventType: 'Push Hook', kept }
  },
  square(id) {
    const [path, body] = ['/webhooks/square?x=1', JSON.stringify({ event_id: id, type: 'payment.updated' })]
    const signature = mac('square', addressOf(path) + body, 'base64')
    return {
      path,
      body,
      headers: { 'x-square-hmacsha256-signature': signature },
      eventId: id,
      eventType: 'payment.updated',
    }
  },
  twilio(id) {
    const fields = { To: '+1', MessageStatus: 'sent', MessageSid: id }
    const text = addressOf('/webhooks/twilio') + Object.entries(fields).sort().flat().join('')
    const kept = { 'i-twilio-idempotency-token': id, 'content-type': 'application/x-www-form-urlencoded' }
    const headers = { ...kept, 'x-twilio-signature': mac('twilio', text, 'base64', 'sha1') }
    return { body: new URLSearchParams(fields).toString(), headers, eventId: `${id}|sent`, eventType: 'sent', kept }
  },
  discord(id) {
    const body = JSON.stringify({ id, type: 2 })
    return { body, headers: discord(body), eventId: id, eventType: '2' }
  },
  postmark(id) {
    const body = JSON.stringify({ RecordType: 'Bounce', MessageID: id, ID: 42 })
    const authorization = `Basic ${Buffer.from(secretOf('postmark')).toString('base64')}`
    return { body, headers: { authorization }, eventId: `Bounce|${id}|42`, eventType: 'Bounce' }
  },
  paypal(id) {
    const body = JSON.stringify({ id: `WH-${id}`, event_type: 'PAYMENT.SALE.COMPLETED' })
    const headers = paypal(id, body)
    const kept = {
      'paypal-transmission-id': id,
      'paypal-transmission-time': headers['paypal-transmission-time'] ?? '',
    }
    return { body, headers, eventId: id, eventType: 'PAYMENT.SALE.COMPLETED', kept }
  },
  adyen(id) {
    const body = adyenBody({ pspReference: id, eventCode: 'CAPTURE', success: 'true' })
    return { body, headers: {}, eventId: `${id}:CAPTURE:true`, eventType: 'CAPTURE', answer: '[accepted]' }
  },
  supabase(id) {
    const body = JSON.stringify({ metadata: { uuid: id, name: 'after-user-created' } })
    const [tryId, now] = [randomUUID(), new Date()]
    const signature = new StandardWebhook(secretOf('supabase').replace('v1,', '')).sign(tryId, now, body)
    const kept = { 'webhook-id': tryId, 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)) }
    const headers = { ...kept, 'webhook-signature': `v1,AAAA, ${signature}` }
    return { body, headers, eventId: id, eventType: 'after-user-created', kept, answer: '{}' }
  },
}

describe('POST /webhooks/{provider} stores the signed events of any provider', () => {
  it.each(Object.entries(EVENTS))('%s: once, byte for byte, with the relevant headers', async (name, eventOf) => {
    const sent = eventOf(randomUUID())
    const { path = `/webhooks/${name}`, body, eventId, eventType, kept = {}, answer = 'Webhook received' } = sent
    for (const _ of ['new', 'again']) {
      const reply = await post(path, body, { authorization: 'Bearer x', ...sent.headers, 'x-a': 'b' })
      expect([reply.status, reply.text]).toEqual([200, answer])
      const type = answer === '{}' ? /^application\/json(;|$)/ : /^text\/plain; charset=utf-8$/
      expect(reply.headers['content-type']).toMatch(type)
    }
    const { json } = await eventDetail(name, eventId)
    expect(json).toMatchObject({ source: name, eventId, eventType, status: 'PROCESSED', outcome: 'no action' })
    expect([json.payload, json.payloadEncoding, json.headers]).toEqual([body, 'utf8', { ...JSON_TYPE, ...kept }])
    expect(json.history).toHaveLength(1)
  })

  it('none without its signature, under a name without a secret, or too late', async () => {
    const unknown = { 'x-signature': createHmac('sha256', '').update('{}').digest('hex') }
    for (const [name, headers] of [['demo', {}] as const, ['unheard-of', unknown] as const]) {
      const { status, text } = await post(`/webhooks/${name}`, '{}', headers)
      expect([status, text]).toEqual([401, 'Invalid signature'])
    }
    const { status, text } = await post('/webhooks/demo', '{}', genericSignature('{}', Number(seconds()) - 301, 'demo'))
    expect([status, text]).toEqual([400, 'Timestamp outside the allowed window'])
  })

  it('W22 Twilio signs the address as well: the same form under another query is another event', async () => {
    const fields = `MessageSid=${randomUUID()}`
    for (const query of ['', '?a=1']) {
      const text = `${addressOf('/webhooks/twilio')}${query}${fields.replace('=', '')}`
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': mac('twilio', text, 'base64', 'sha1'),
        'i-twilio-idempotency-token': `${fields}${query}`,
      }
      expect((await post(`/webhooks/twilio${query}`, fields, headers)).status).toBe(200)
      const { json } = await eventDetail('twilio', `${fields}${query}`)
      expect(json).toMatchObject({ payload: fields, possibleDuplicateOf: null })
    }
  })

  it('W22 a call of PayPal is valid for three days and an hour', async () => {
    for (const [age, status] of [
      [3500, 200],
      [3700, 400],
    ] as const) {
      const body = JSON.stringify({ id: randomUUID() })
      const headers = paypal(randomUUID(), body, new Date(Date.now() - (3 * 86_400 + age) * 1000))
      expect((await post('/webhooks/paypal', body, headers)).status).toBe(status)
    }
  })

  it('W31 a body of Adyen, whose bytes are not signed, may have 256 KiB: a longer one gets 413', async () => {
    const body = adyenBody({ eventCode: 'CAPTURE', x: 'x'.repeat(262_144) })
    expect((await post('/webhooks/adyen', body)).status).toBe(413)
  })

  it('a batch of a thousand events is one event that contains all of them in order', async () => {
    const ids = Array.from({ length: 1000 }, () => randomUUID())
    const events = ids.map((webhookEventId) => ({ type: 'message', webhookEventId }))
    const body = JSON.stringify({ destination: 'U1', events })
    const sent = await post('/webhooks/line', body, { 'x-line-signature': mac('line', body, 'base64') })
    expect([sent.status, sent.text]).toEqual([200, 'Webhook received'])
    const batch = await vi.waitUntil(async () => {
      const { json } = await call('/api/webhooks/events?source=line&limit=1', bearer(await tokenOf('admin')))
      return json.events[0]?.itemCount === 1000 && json.events[0].status === 'PROCESSED' && json.events[0]
    }, 20_000)
    const { json } = await eventDetail('line', batch.eventId)
    expect(json.items.map((item: { readonly eventId: string }) => item.eventId)).toEqual(ids)
    expect(json.items.at(-1).id).toBe(`${batch.eventId}#1000`)
  })
})

describe('a name is converted to lower case first', () => {
  it('W27 PAYMENT is the payment endpoint: the same events, proof and answers', async () => {
    const event = payment()
    const first = await post('/webhooks/PAYMENT', JSON.stringify(event))
    expect([first.status, first.json.message]).toEqual([200, 'Webhook processed successfully'])
    expect((await post('/webhooks/payment', JSON.stringify(event))).json.message).toBe('Duplicate event ignored')
    const refused = await post('/webhooks/Payment', '{}', { 'x-signature': '0' })
    expect([refused.status, refused.json]).toMatchObject([401, { success: false, message: 'Invalid signature' }])
  })

  it.each(['a%2Fb', 'slack/x'])('W26 POST /webhooks/%s names no provider, and is 404', async (name) => {
    const { status, json } = await post(`/webhooks/${name}`, '{}')
    expect([status, json?.message]).toEqual([404, 'No endpoint found for the method and path'])
  })

  it.each([
    ['GET', 'Payment', 'HEAD, POST'],
    ['PUT', 'meta', 'GET, HEAD, POST'],
  ])('%s /webhooks/%s is 405 with Allow: %s', async (method, name, allow) => {
    const { status, headers } = await call(`/webhooks/${name}?challenge=c&hub.challenge=c`, { method })
    expect([status, headers['allow']]).toEqual([405, allow])
  })
})

describe('handshakes', () => {
  const TEXT_TYPE = ['text/plain; charset=utf-8', 'nosniff']
  const typeOf = ({ headers }: Answer) => [headers['content-type'], headers['x-content-type-options']]

  it('Slack receives its challenge, and nothing is stored', async () => {
    const challenge = randomUUID()
    const body = JSON.stringify({ type: 'url_verification', event_id: challenge, challenge })
    const { status, json } = await post('/webhooks/Slack', body, slack(body))
    expect([status, json]).toEqual([200, { challenge }])
    expect((await eventDetail('slack', challenge)).status).toBe(404)
  })

  it('W20 Zoom receives its token with a signature, and its signature of one text is invalid for any other', async () => {
    const validation = (plainToken: string) =>
      JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } })
    const { status, json } = await post('/webhooks/zoom', validation('q'), zoom(validation('q')))
    expect([status, json]).toEqual([200, { plainToken: 'q', encryptedToken: mac('zoom', 'q') }])
    const chosen = validation(`v0:${seconds()}:{}`)
    expect((await post('/webhooks/zoom', chosen, zoom(validation('q')))).status).toBe(401)
  })

  it('Discord’s PING is answered, with or without a body', async () => {
    for (const [body, status, text] of [
      ['{"id":"1","type":1,"application_id":"2"}', 200, '{"type":1}'],
      ['{"version":1,"type":0,"application_id":"2"}', 204, ''],
    ] as const) {
      expect(await post('/webhooks/discord', body, discord(body))).toMatchObject({ status, text })
    }
  })

  it('Twitch receives its challenge as plain text', async () => {
    const subscription = { type: 'channel.follow', status: 'webhook_callback_verification_pending' }
    const body = JSON.stringify({ challenge: '<pogchamp-kappa>', subscription })
    const answer = await post('/webhooks/twitch', body, twitch(randomUUID(), body))
    expect([answer.status, answer.text, ...typeOf(answer)]).toEqual([200, '<pogchamp-kappa>', ...TEXT_TYPE])
  })

  it('Xero’s intent to receive gets 200 for a valid signature, 401 for an invalid one, and never a body or a cookie', async () => {
    const body = JSON.stringify({ events: [], firstEventSequence: 0, lastEventSequence: 0, entropy: randomUUID() })
    for (const [signed, wanted] of [
      [body, 200],
      [`${body} `, 401],
    ] as const) {
      const headers = { 'x-xero-signature': mac('xero', signed, 'base64') }
      const answer = await post('/webhooks/xero', body, headers)
      expect([answer.status, answer.text, answer.headers['set-cookie']]).toEqual([wanted, '', undefined])
    }
  })

  it('W18 WooCommerce’s unsigned ping gets 200 and is not stored; any other call needs a signature', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const list = async () => call('/api/webhooks/events?source=woocommerce', bearer(await tokenOf('admin')))
    const { json: before } = await list()
    const ping = await post('/webhooks/woocommerce', 'webhook_id=7', type)
    expect([ping.status, ping.text]).toEqual([200, 'Webhook received'])
    expect((await list()).json).toEqual(before)
    const others = [
      'webhook_id=7&topic=a',
      'webhook_id=',
      'webhook_id=x',
      `webhook_id=${'7'.repeat(30)}`,
      '{"webhook_id":7}',
      '',
    ]
    for (const body of others) expect((await post('/webhooks/woocommerce', body, type)).status).toBe(401)
    expect((await post('/webhooks/shopify', 'webhook_id=7', type)).status).toBe(401)
  })

  it('W19 Dropbox receives its challenge as plain text, of at most 1 KiB', async () => {
    const answer = await call('/webhooks/dropbox?challenge=%3Cscript%3E%2B+%C3%A9')
    expect([answer.status, answer.text, ...typeOf(answer)]).toEqual([200, '<script>+ é', ...TEXT_TYPE])
    expect((await call(`/webhooks/dropbox?challenge=${'a'.repeat(1025)}`)).status).toBe(400)
  })

  it('W21 Meta receives its challenge if it sends the verify token', async () => {
    const ask = (token: string) =>
      call(`/webhooks/meta?hub.mode=subscribe&hub.challenge=1158&hub.verify_token=${encodeURIComponent(token)}`)
    expect(await ask(secretOf('meta.verify'))).toMatchObject({ status: 200, text: '1158' })
    expect(await ask(secretOf('meta'))).toMatchObject({ status: 401, text: 'Invalid signature' })
  })
})
