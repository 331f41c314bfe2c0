import { randomUUID, sign } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, type Call, call } from '../support/client.ts'
import { eventDetail } from '../support/events.ts'

const secretOf = (name: string) => inject('ready').webhookSecrets[name] ?? ''

function post(path: string, body: string, headers: Call['headers'] = {}): Promise<Answer> {
  return call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
}

async function eventsOf(source: string) {
  const { json } = await call(`/api/webhooks/events?source=${source}&limit=200`, bearer(await tokenOf('admin')))
  return json.events
}

describe('Microsoft Graph', () => {
  const notifications = (...states: readonly string[]) =>
    JSON.stringify({
      value: states.map((clientState) => ({ subscriptionId: 's', changeType: 'updated', resource: 'r', clientState })),
    })

  it('W45 receives the token with which it validates an address, and no event is stored', async () => {
    const before = await eventsOf('microsoft-graph')
    const query = 'validationToken=Validation%3A+%3Cb%3EReachability%3C%2Fb%3E%20%26%20%C3%A9'
    const answer = await post(`/webhooks/microsoft-graph?${query}`, '', { 'content-type': 'text/plain; charset=utf-8' })
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'Validation: <b>Reachability</b> & é',
    ])
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(await eventsOf('microsoft-graph')).toEqual(before)
  })

  it('is accepted with the state of its subscription in every notification, and each call is a new event', async () => {
    const body = notifications(secretOf('microsoft-graph'), secretOf('microsoft-graph'))
    const before = (await eventsOf('microsoft-graph')).length
    for (const _ of ['once', 'again'])
      expect(await post('/webhooks/microsoft-graph', body)).toMatchObject({ status: 200, text: 'Webhook received' })
    const [last, first] = await eventsOf('microsoft-graph')
    expect([last.possibleDuplicateOf, last.itemCount, last.proof.level]).toEqual([first.eventId, 2, 'token'])
    expect((await eventsOf('microsoft-graph')).length).toBe(before + 2)
    const other = notifications(secretOf('microsoft-graph'), 'another')
    expect(await post('/webhooks/microsoft-graph', other)).toMatchObject({ status: 401, text: 'Invalid signature' })
  })
})

describe('Event Grid', () => {
  const validation = JSON.stringify([
    {
      id: randomUUID(),
      topic: '/t',
      subject: '',
      eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
      data: { validationCode: '512d38b6-c7b8-40c8-89fe-f46f9e9622b6' },
    },
  ])
  const inQuery = () => `?code=${encodeURIComponent(secretOf('event-grid'))}`

  it('receives the code of its validation, with the secret in a header or its address, and with no other', async () => {
    const inHeader = { 'x-event-grid-secret': secretOf('event-grid') }
    for (const [query, headers] of [['', inHeader] as const, [inQuery(), {}] as const]) {
      const { json } = await post(`/webhooks/event-grid${query}`, validation, headers)
      expect(json).toEqual({ validationResponse: '512d38b6-c7b8-40c8-89fe-f46f9e9622b6' })
    }
    expect(await post('/webhooks/event-grid?code=another', validation)).toMatchObject({ status: 401 })
  })
})

describe('SNS', () => {
  function notification(): Record<string, string> {
    const fields: Record<string, string> = {
      Message: 'Hello\n"again"',
      MessageId: randomUUID(),
      Timestamp: new Date().toISOString(),
      TopicArn: secretOf('sns').split(' ')[0] ?? '',
      Type: 'Notification',
    }
    const text = Object.entries(fields).map(([name, value]) => `${name}\n${value}\n`)
    const Signature = sign('sha256', Buffer.from(text.join('')), inject('paypal').key).toString('base64')
    return { ...fields, SignatureVersion: '2', Signature }
  }

  it('has its message stored once, and is refused with another one', async () => {
    const send = (body: object) =>
      post('/webhooks/sns', JSON.stringify(body), { 'content-type': 'text/plain; charset=UTF-8' })
    const message = notification()
    for (const _ of ['once', 'again'])
      expect(await send({ ...message, UnsubscribeURL: 'https://a' })).toMatchObject({ status: 200 })
    expect((await eventDetail('sns', message['MessageId'] ?? '')).json).toMatchObject({
      eventType: 'Notification',
      proof: { level: 'fields', key: 'sns#1' },
      idConflict: null,
    })
    expect(await send({ ...message, Message: 'Bye' })).toMatchObject({ status: 401, text: 'Invalid signature' })
  })
})
