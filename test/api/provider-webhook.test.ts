import { createHash, createHmac, randomUUID, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, inject, it, vi } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, type Call, call } from '../support/client.ts'
import { eventDetail, genericSignature, payment } from '../support/events.ts'
import { withCrcOf } from '../support/same-crc.ts'

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

const xero = (body: string): Headers => ({ 'x-xero-signature': mac('xero', body, 'base64') })

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
}

/** The id of an event that has none of its own. */
const keyOf = (text: string) => `h:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`

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
  svix(id) {
    const body = '{"type":"invoice.paid"}'
    const now = new Date()
    const signature = new SvixWebhook(secretOf('svix')).sign(id, now, body)
    const kept = { 'svix-id': id, 'svix-timestamp': String(Math.floor(now.getTime() / 1000)) }
    return { body, headers: { ...kept, 'svix-signature': signature }, eventId: id, eventType: 'invoice.paid', kept }
  },
  slack(id) {
    const body = JSON.stringify({ type: 'event_callback', event_id: id, event: { type: 'message' } })
    const kept = { 'x-slack-retry-num': '1' }
    return { body, headers: { ...slack(body), ...kept }, eventId: id, eventType: 'message', kept }
  },
  shopify(id) {
    const body = JSON.stringify({ id, total_price: '10.00' })
    const kept = { 'x-shopify-topic': 'orders/create', 'x-shopify-event-id': 'e', 'x-shopify-webhook-id': id }
    const headers = { ...kept, 'x-shopify-hmac-sha256': mac('shopify', body, 'base64') }
    return { body, headers, eventId: id, eventType: 'orders/create', kept }
  },
  gitlab(id) {
    const kept = { 'x-gitlab-event': 'Push Hook', 'idempotency-key': id }
    const headers = { ...kept, 'x-gitlab-token': secretOf('gitlab') }
    return { body: JSON.stringify({ id }), headers, eventId: id, eventType: 'Push Hook', kept }
  },
  mailgun(id) {
    const [timestamp, token] = [seconds(), id.padEnd(50, '0')]
    const signature = { timestamp, token, signature: mac('mailgun', timestamp + token) }
    const body = JSON.stringify({ signature, 'event-data': { event: 'delivered' } })
    return { body, headers: {}, eventId: token, eventType: 'delivered' }
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
  twitch(id) {
    const body = JSON.stringify({
      subscription: { type: 'channel.follow', status: 'enabled' },
      event: { user_id: '1' },
    })
    const { [`${TWITCH}-signature`]: signature = '', ...signed } = twitch(id, body)
    const kept = { ...signed, [`${TWITCH}-type`]: 'notification', [`${TWITCH}-retry`]: '0' }
    const headers = { ...kept, [`${TWITCH}-signature`]: signature }
    return { body, headers, eventId: id, eventType: 'channel.follow', kept }
  },
  telegram(id) {
    const updateId = Number.parseInt(id.slice(0, 8), 16)
    const body = JSON.stringify({ update_id: updateId, callback_query: { id, data: 'yes' } })
    const headers = { 'x-telegram-bot-api-secret-token': secretOf('telegram') }
    return { body, headers, eventId: String(updateId), eventType: 'callback_query' }
  },
  'adyen-platform'(id) {
    const body = JSON.stringify({
      data: { id },
      environment: 'test',
      timestamp: 't',
      type: 'balancePlatform.transfer.updated',
    })
    const signature = createHmac('sha256', Buffer.from(secretOf('adyen-platform'), 'hex'))
      .update(body)
      .digest('base64')
    const eventType = 'balancePlatform.transfer.updated'
    return { body, headers: { hmacsignature: signature }, eventId: `${eventType}|${id}|t`, eventType }
  },
  zoom(id) {
    const body = JSON.stringify({ event: 'meeting.started', payload: { id } })
    const headers = zoom(body)
    const signedAt = Number(headers['x-zm-request-timestamp']) * 1000
    const eventId = keyOf(`${signedAt}\n${createHash('sha256').update(body).digest('hex')}`)
    return { body, headers, eventId, eventType: 'meeting.started' }
  },
}

describe('POST /webhooks/{provider} stores the signed events of any provider', () => {
  it.each(Object.keys(EVENTS))('%s: once, byte for byte, with the relevant headers', async (name) => {
    const {
      path = `/webhooks/${name}`,
      body,
      headers,
      eventId,
      eventType,
      kept = {},
    } = EVENTS[name]?.(randomUUID()) ?? fail()
    for (const _ of ['new', 'again']) {
      const {
        status,
        text,
        headers: answered,
      } = await post(path, body, { ...headers, authorization: 'Bearer x', 'x-a': 'b' })
      expect([status, text]).toEqual([200, 'Webhook received'])
      expect(answered['content-type']).toBe('text/plain; charset=utf-8')
    }
    const { json } = await eventDetail(name, eventId)
    expect(json).toMatchObject({ source: name, eventId, eventType, status: 'PROCESSED', outcome: 'no action' })
    expect([json.payload, json.payloadEncoding, json.headers]).toEqual([body, 'utf8', { ...JSON_TYPE, ...kept }])
    expect(json.history).toHaveLength(1)
  })

  it.each(Object.keys(EVENTS))('%s: not without its signature', async (name) => {
    const { path = `/webhooks/${name}`, body } = EVENTS[name]?.(randomUUID()) ?? fail()
    const { status, text } = await post(path, body.replace(/"signature":"\w+"/, ''))
    expect([status, text]).toEqual([401, 'Invalid signature'])
  })

  it('W22 Mailgun signs only a token: with another body it is the same event, and the first body stays', async () => {
    const { body, eventId } = EVENTS['mailgun']?.(randomUUID()) ?? fail()
    const changed = body.replace('"delivered"', '"failed"')
    expect(changed).not.toBe(body)
    for (const sent of [body, changed]) expect((await post('/webhooks/mailgun', sent)).status).toBe(200)
    expect((await eventDetail('mailgun', eventId)).json).toMatchObject({ eventType: 'delivered', payload: body })
    const other = body.replace(eventId, randomUUID().padEnd(50, '0'))
    expect((await post('/webhooks/mailgun', other)).status).toBe(401)
  })

  it('W22 Adyen signs eight fields: with other unsigned fields it is the same event, and the first one stays', async () => {
    const reference = randomUUID()
    const bodyWith = (reason: string) =>
      adyenBody({ pspReference: reference, eventCode: 'CAPTURE', success: 'true', reason })
    for (const reason of ['', 'forged']) expect((await post('/webhooks/adyen', bodyWith(reason))).status).toBe(200)
    const { json } = await eventDetail('adyen', `${reference}:CAPTURE:true`)
    expect([json.payload, json.history.length]).toEqual([bodyWith(''), 1])
  })

  it('W22 PayPal signs a CRC-32: with another body under it, it is the same event, and the first one stays', async () => {
    const id = randomUUID()
    const body = JSON.stringify({ id: `WH-${id}`, event_type: 'PAYMENT.SALE.COMPLETED', resource: { total: '1.00' } })
    const headers = paypal(id, body)
    const forged = withCrcOf(Buffer.from(body), (letters) =>
      Buffer.from(JSON.stringify({ id: `WH-FORGED-${id}`, event_type: 'PAYMENT.SALE.COMPLETED', x: letters })),
    )
    expect(crc32(forged)).toBe(crc32(body))
    for (const sent of [body, forged]) expect((await post('/webhooks/paypal', sent, headers)).status).toBe(200)
    expect((await eventDetail('paypal', id)).json).toMatchObject({ payload: body, history: [{ status: 'PROCESSED' }] })
    expect((await eventDetail('paypal', `WH-FORGED-${id}`)).status).toBe(404)
    const renamed = await post('/webhooks/paypal', forged, { ...headers, 'paypal-transmission-id': randomUUID() })
    expect(renamed.status).toBe(401)
  })

  it.each([
    [3 * 86_400, 200],
    [3 * 86_400 + 3500, 200],
    [3 * 86_400 + 3700, 400],
    [-3 * 86_400 - 3700, 400],
  ])('W22 a call of PayPal is valid for three days and an hour: after %i seconds %i', async (age, status) => {
    const id = randomUUID()
    const body = JSON.stringify({ id })
    const answer = await post('/webhooks/paypal', body, paypal(id, body, new Date(Date.now() - age * 1000)))
    expect(answer.status).toBe(status)
  })

  const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

  it.each<[string, (fields: string) => string, number]>([
    ['another order of the fields is the same event', (fields) => fields.split('&').reverse().join('&'), 404],
    ['a repeated field is the same event', (fields) => `${fields}&MessageStatus=delivered`, 404],
    ['another escape is the same event', (fields) => fields.replace('delivered', '%64elivered'), 404],
    ['another border between name and value is marked', (fields) => fields.replace('Status=d', 'Statusd='), 200],
    ['all values in one name are marked', (fields) => [...new URLSearchParams(fields)].sort().flat().join(''), 200],
  ])('W22 Twilio signs sorted fields: %s, whatever the unsigned token', async (_, change, marked) => {
    const id = randomUUID()
    const fields = `MessageSid=${id}&MessageStatus=delivered`
    const text = addressOf('/webhooks/twilio') + [...new URLSearchParams(fields)].sort().flat().join('')
    const headers = { ...FORM_TYPE, 'x-twilio-signature': mac('twilio', text, 'base64', 'sha1') }
    for (const [sent, token] of [
      [fields, `first-${id}`],
      [change(fields), `second-${id}`],
    ] as const) {
      const { status } = await post('/webhooks/twilio', sent, { ...headers, 'i-twilio-idempotency-token': token })
      expect(status).toBe(200)
    }
    const eventId = `${id}|delivered`
    expect((await eventDetail('twilio', eventId)).json).toMatchObject({ payload: fields, history: [{}] })
    expect((await eventDetail('twilio', `first-${id}`)).status).toBe(404)
    const { status, json } = await eventDetail('twilio', `second-${id}`)
    expect(status).toBe(marked)
    if (marked === 200) expect(json.possibleDuplicateOf).toBe(eventId)
  })

  it('W22 Twilio signs the address as well: the same form under another query is another event', async () => {
    const fields = `MessageSid=${randomUUID()}`
    for (const query of ['', '?a=1']) {
      const text = `${addressOf('/webhooks/twilio')}${query}${fields.replace('=', '')}`
      const headers = { ...FORM_TYPE, 'x-twilio-signature': mac('twilio', text, 'base64', 'sha1') }
      const token = { 'i-twilio-idempotency-token': `${fields}${query}` }
      expect((await post(`/webhooks/twilio${query}`, fields, { ...headers, ...token })).status).toBe(200)
      const { json } = await eventDetail('twilio', `${fields}${query}`)
      expect(json).toMatchObject({ payload: fields, possibleDuplicateOf: null })
    }
  })

  it.each<[string, string, string | Buffer]>([
    ['adyen', '/webhooks/adyen', adyenBody({ eventCode: 'CAPTURE', x: 'x'.repeat(262_144) })],
    ['mailgun', '/webhooks/mailgun', `{"x":"${'x'.repeat(262_144)}"}`],
  ])('W31 a body of %s whose bytes are not signed may have 256 KiB: a longer one gets 413', async (_, path, body) => {
    expect((await post(path, body)).status).toBe(413)
  })

  it('W38 a form of Twilio may have 256 KiB and a thousand fields: a larger one gets 413', async () => {
    const headers = { ...FORM_TYPE, 'x-twilio-signature': 'AAAA' }
    for (const form of ['a=1&'.repeat(1000), `a=${'b'.repeat(262_143)}`]) {
      expect((await post('/webhooks/twilio', form, headers)).status).toBe(413)
    }
    for (const form of ['a=1&'.repeat(999), `a=${'b'.repeat(262_142)}`]) {
      expect((await post('/webhooks/twilio', form, headers)).status).toBe(401)
    }
  })

  it.each([3, 91, 1000])('a batch of %i events is one event that contains all of them in order', async (count) => {
    const ids = Array.from({ length: count }, () => randomUUID())
    const events = ids.map((webhookEventId) => ({ type: 'message', webhookEventId }))
    const body = JSON.stringify({ destination: 'U1', events })
    const sent = await post('/webhooks/line', body, { 'x-line-signature': mac('line', body, 'base64') })
    expect([sent.status, sent.text]).toEqual([200, 'Webhook received'])
    const batch = await vi.waitUntil(async () => {
      const { json } = await call('/api/webhooks/events?source=line&limit=1', bearer(await tokenOf('admin')))
      return json.events[0]?.itemCount === count && json.events[0].status === 'PROCESSED' && json.events[0]
    }, 20_000)
    const { json } = await eventDetail('line', batch.eventId)
    expect(json.items.map((item: { readonly eventId: string }) => item.eventId)).toEqual(ids)
    expect(json.items.at(-1).id).toBe(`${batch.eventId}#${count}`)
  })

  it('Postmark authenticates with a user name and a password', async () => {
    const id = randomUUID()
    const body = JSON.stringify({ RecordType: 'Bounce', MessageID: id, ID: 42 })
    const [user = '', password = ''] = secretOf('postmark').split(':')
    const asUser = (name: string, word: string) => ({
      authorization: `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`,
    })
    for (const sent of [asUser(user, `${password}x`), asUser('other', password), {}])
      expect((await post('/webhooks/postmark', body, sent)).status).toBe(401)
    expect((await post('/webhooks/postmark', body, asUser(user, password))).status).toBe(200)
    const { json } = await eventDetail('postmark', `Bounce|${id}|42`)
    expect(json).toMatchObject({ eventType: 'Bounce', proof: { level: 'token' }, headers: JSON_TYPE })
  })

  it('Supabase receives JSON, and each of its tries has another id in the header', async () => {
    const uuid = randomUUID()
    const body = JSON.stringify({ metadata: { uuid, name: 'after-user-created' } })
    for (const _try of [1, 2]) {
      const [id, now] = [randomUUID(), new Date()]
      const signature = new StandardWebhook(secretOf('supabase').replace('v1,', '')).sign(id, now, body)
      const time = String(Math.floor(now.getTime() / 1000))
      const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,AAAA, ${signature}` }
      const { status, text, headers: answered } = await post('/webhooks/supabase', body, headers)
      expect([status, text]).toEqual([200, '{}'])
      expect(answered['content-type']).toMatch(/^application\/json(;|$)/)
    }
    const { json } = await eventDetail('supabase', uuid)
    expect([json.eventType, json.history.length]).toEqual(['after-user-created', 1])
  })

  it('Adyen receives its own confirmation text', async () => {
    const item = { pspReference: randomUUID(), eventCode: 'CAPTURE', success: 'true' }
    const { status, text } = await post('/webhooks/adyen', adyenBody(item))
    expect([status, text]).toEqual([200, '[accepted]'])
    const { json } = await eventDetail('adyen', `${item.pspReference}:CAPTURE:true`)
    expect(json.eventType).toBe('CAPTURE')
  })

  it.each(['a list', '["a"]'])('a body may be any JSON: %s', async (text) => {
    const body = JSON.stringify([text, randomUUID()])
    expect((await post('/webhooks/demo', body, genericSignature(body, undefined, 'demo'))).text).toBe(
      'Webhook received',
    )
  })

  it.each(['', '{', 'text', '\ufeff{}', 'a=b'])(
    'a signed body that is not JSON is stored for the operators: %j',
    async (body) => {
      const at = Math.floor(Date.now() / 1000)
      const { status, text } = await post('/webhooks/demo', body, genericSignature(body, at, 'demo'))
      expect([status, text]).toEqual([200, 'Webhook received'])
      const key = keyOf(`${at * 1000}\n${createHash('sha256').update(body).digest('hex')}`)
      const { json } = await eventDetail('demo', key)
      expect(json).toMatchObject({ status: 'FAILED', dead: true, attempts: 0, proof: { level: 'full', key: 'demo#1' } })
      expect(Buffer.from(json.payload, json.payloadEncoding).equals(Buffer.from(body))).toBe(true)
    },
  )

  it('an old timestamp gets a 400 answer as text', async () => {
    const { status, text } = await post('/webhooks/demo', '{}', genericSignature('{}', Number(seconds()) - 301, 'demo'))
    expect([status, text]).toEqual([400, 'Timestamp outside the allowed window'])
  })

  it.each(['unheard-of', 'constructor', 'generic', 'svix2'])('%s has no secret: 401', async (name) => {
    const { status, text } = await post(`/webhooks/${name}`, '{}', {
      'x-signature': createHmac('sha256', '').digest('hex'),
    })
    expect([status, text]).toEqual([401, 'Invalid signature'])
  })
})

describe('a name is converted to lower case first', () => {
  it('Demo and DEMO are demo', async () => {
    const body = JSON.stringify({ eventId: randomUUID() })
    for (const name of ['Demo', 'DEMO', 'demo']) {
      expect((await post(`/webhooks/${name}`, body, genericSignature(body, undefined, 'demo'))).status).toBe(200)
    }
    expect((await eventDetail('demo', JSON.parse(body).eventId)).json.history).toHaveLength(1)
  })

  it('W27 PAYMENT is the payment endpoint: the same events, proof and answers', async () => {
    const event = payment()
    const first = await post('/webhooks/PAYMENT', JSON.stringify(event))
    expect([first.status, first.json]).toMatchObject([
      200,
      { success: true, message: 'Webhook processed successfully' },
    ])
    const second = await post('/webhooks/payment', JSON.stringify(event))
    expect(second.json).toMatchObject({ message: 'Duplicate event ignored' })
    const refused = await post('/webhooks/Payment', '{}', { 'x-signature': '0' })
    expect([refused.status, refused.json]).toMatchObject([401, { success: false, message: 'Invalid signature' }])
    expect((await post('/webhooks/Payment', '{')).json).toMatchObject({
      message: 'Validation failed: body must be JSON',
    })
    expect((await eventDetail('payment', String(event['eventId']))).json.eventType).toBe('PAYMENT')
  })

  it('Order-Status, Stripe and GitHub refuse like their own endpoints', async () => {
    const order = await post('/webhooks/Order-Status', '{}')
    expect([order.status, order.json]).toMatchObject([401, { success: false, message: 'Invalid signature' }])
    const stripe = await post('/webhooks/Stripe', '{}', { 'stripe-signature': 't=1,v1=00' })
    expect([stripe.status, stripe.text]).toEqual([400, 'Invalid signature'])
    const headers = { 'x-hub-signature-256': `sha256=${mac('github', '{}')}` }
    const github = await post('/webhooks/GITHUB', '{}', headers)
    expect([github.status, github.text]).toEqual([400, 'Validation failed: x-github-event is required'])
  })
})

describe('W26 names that are not a provider', () => {
  it.each([
    '__proto__',
    '-a',
    'a%20b',
    'a%00',
    'a%2Fb',
    'meta.verify',
    'a'.repeat(65),
    '%E2%84%AA',
    'slack/',
    'slack/x',
  ])('POST /webhooks/%s is 404', async (name) => {
    const { status, json } = await post(`/webhooks/${name}`, '{}')
    expect([status, json?.message]).toEqual([404, 'No endpoint found for the method and path'])
  })

  it.each([
    ['GET', 'payment', 'HEAD, POST'],
    ['GET', 'Payment', 'HEAD, POST'],
    ['GET', 'slack', 'HEAD, POST'],
    ['GET', 'unheard-of', 'HEAD, POST'],
    ['PUT', 'demo', 'HEAD, POST'],
    ['DELETE', 'Stripe', 'HEAD, POST'],
    ['PUT', 'meta', 'GET, HEAD, POST'],
    ['OPTIONS', 'dropbox', 'GET, HEAD, POST'],
  ])('%s /webhooks/%s is 405 with Allow: %s', async (method, name, allow) => {
    const { status, headers } = await call(`/webhooks/${name}?challenge=c&hub.challenge=c`, { method })
    expect([status, headers['allow']]).toEqual([405, allow])
  })
})

describe('handshakes', () => {
  const verification = '{"type":"url_verification","token":"t","challenge":"3eZbrw1a"}'
  const validation = '{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZ"}}'
  const ping = '{"id":"1","type":1,"application_id":"2"}'

  it('Slack receives its challenge', async () => {
    const { status, json } = await post('/webhooks/Slack', verification, slack(verification))
    expect([status, json]).toEqual([200, { challenge: '3eZbrw1a' }])
  })

  it('Zoom receives its token with a signature', async () => {
    const { status, json } = await post('/webhooks/zoom', validation, zoom(validation))
    expect([status, json]).toEqual([200, { plainToken: 'qgg8vlvZ', encryptedToken: mac('zoom', 'qgg8vlvZ') }])
  })

  it("Discord's PING is answered", async () => {
    const { status, json } = await post('/webhooks/discord', ping, discord(ping))
    expect([status, json]).toEqual([200, { type: 1 }])
    const body = '{"version":1,"type":0,"application_id":"2"}'
    const quiet = await post('/webhooks/discord', body, discord(body))
    expect([quiet.status, quiet.text]).toEqual([204, ''])
  })

  const subscription = { type: 'channel.follow', status: 'webhook_callback_verification_pending' }
  const callback = JSON.stringify({ challenge: '<pogchamp-kappa>', subscription })

  it('Twitch receives its challenge as plain text, and nothing is stored', async () => {
    const id = randomUUID()
    const { status, text, headers } = await post('/webhooks/twitch', callback, twitch(id, callback))
    expect([status, text]).toEqual([200, '<pogchamp-kappa>'])
    expect([headers['content-type'], headers['x-content-type-options']]).toEqual([
      'text/plain; charset=utf-8',
      'nosniff',
    ])
    expect((await eventDetail('twitch', id)).status).toBe(404)
  })

  it('the unsigned message type of Twitch does not turn an event into a handshake', async () => {
    const id = randomUUID()
    const body = JSON.stringify({ challenge: 'c', event: {}, subscription: { ...subscription, status: 'enabled' } })
    const headers = { ...twitch(id, body), [`${TWITCH}-type`]: 'webhook_callback_verification' }
    const { status, text } = await post('/webhooks/twitch', body, headers)
    expect([status, text]).toEqual([200, 'Webhook received'])
    expect((await eventDetail('twitch', id)).json.eventType).toBe('channel.follow')
  })

  it('Xero’s intent to receive gets 200 for each valid signature, 401 for each invalid one, and never a body or a cookie', async () => {
    const body = JSON.stringify({ events: [], firstEventSequence: 0, lastEventSequence: 0, entropy: randomUUID() })
    const wrong = [{ 'x-xero-signature': mac('twitch', body, 'base64') }, xero(`${body} `), {}]
    for (const [headers, wanted] of [
      [xero(body), 200] as const,
      ...wrong.map((one) => [one, 401] as const),
      [xero(body), 200] as const,
    ]) {
      const { status, text, headers: answered } = await post('/webhooks/xero', body, headers)
      expect([status, text, answered['set-cookie']]).toEqual([wanted, '', undefined])
    }
  })

  it.each([
    ['slack', verification],
    ['twitch', callback],
    ['zoom', validation],
    ['discord', ping],
  ])('W18 %s: not without the signature', async (name, body) => {
    const { status, text } = await post(`/webhooks/${name}`, body)
    expect([status, text]).toEqual([401, 'Invalid signature'])
  })

  it('W20 Zoom’s signature of one text is invalid for any other', async () => {
    const chosen = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken: `v0:${seconds()}:{}` } })
    const { status, text } = await post('/webhooks/zoom', chosen, zoom(validation))
    expect([status, text]).toEqual([401, 'Invalid signature'])
  })

  it('W18 WooCommerce’s unsigned ping gets 200 and is not stored', async () => {
    const ping = {
      method: 'POST',
      body: 'webhook_id=7',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    const list = async () => call('/api/webhooks/events?source=woocommerce', bearer(await tokenOf('admin')))
    const { json: before } = await list()
    const { status, text } = await call('/webhooks/woocommerce', ping)
    expect([status, text]).toEqual([200, 'Webhook received'])
    expect((await list()).json).toEqual(before)
  })

  it.each([
    'webhook_id=7&topic=order.created',
    'webhook_id=',
    'webhook_id=x',
    `webhook_id=${'7'.repeat(30)}`,
    '{"webhook_id":7}',
    '',
  ])('W18 a call that is not a ping of WooCommerce needs a signature: %j', async (body) => {
    expect((await post('/webhooks/woocommerce', body)).status).toBe(401)
  })

  it('W18 a ping under another name than WooCommerce’s, or without a secret, is refused', async () => {
    for (const name of ['shopify', 'demo', 'unheard-of']) {
      expect((await post(`/webhooks/${name}`, 'webhook_id=7')).status).toBe(401)
    }
  })

  it('none of them is stored', async () => {
    const challenge = randomUUID()
    const body = JSON.stringify({ type: 'url_verification', event_id: challenge, challenge })
    expect((await post('/webhooks/slack', body, slack(body))).json).toEqual({ challenge })
    expect((await eventDetail('slack', challenge)).status).toBe(404)
  })

  it('a challenge of more than 1 KiB is not returned: a signed one is stored, any other gets 400', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'a'.repeat(1025) })
    const { status, text } = await post('/webhooks/slack', body, slack(body))
    expect([status, text]).toEqual([200, 'Webhook received'])
    expect((await call(`/webhooks/dropbox?challenge=${'a'.repeat(1025)}`)).status).toBe(400)
  })

  it('W19 Dropbox receives its challenge as plain text', async () => {
    const { status, text, headers } = await call('/webhooks/dropbox?challenge=%3Cscript%3E%2B+%C3%A9')
    expect([status, text]).toEqual([200, '<script>+ é'])
    expect([headers['content-type'], headers['x-content-type-options']]).toEqual([
      'text/plain; charset=utf-8',
      'nosniff',
    ])
    expect((await call('/webhooks/dropbox')).status).toBe(400)
  })

  it('W21 Meta receives its challenge if it sends the verify token', async () => {
    const query = (token: string) =>
      `hub.mode=subscribe&hub.challenge=1158&hub.verify_token=${encodeURIComponent(token)}`
    const { status, text } = await call(`/webhooks/meta?${query(secretOf('meta.verify'))}`)
    expect([status, text]).toEqual([200, '1158'])
    for (const token of ['', 'another', secretOf('meta')]) {
      const refused = await call(`/webhooks/meta?${query(token)}`)
      expect([refused.status, refused.text]).toEqual([401, 'Invalid signature'])
    }
  })
})

function fail(): never {
  throw new Error('no such provider')
}
