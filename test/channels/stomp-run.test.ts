import { describe, expect, it, vi } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { payment, postPayment } from '../support/events.ts'
import { connected, heardBy, subscribed } from '../support/stomp-client.ts'

interface Told {
  readonly eventId: string
  readonly cursor: string
}

describe('WebSocket messaging of the running service', () => {
  it('valid token: message processing continues', async () => {
    const { client, frame } = await connected(await tokenOf('user'))
    expect(frame.headers).toMatchObject({ version: '1.2', 'user-name': 'user' })
    const { promise: heard, resolve } = Promise.withResolvers<string>()
    client.subscribe('/topic/public/greetings', ({ body }) => resolve(body))
    client.publish({ destination: '/topic/public/greetings', body: 'grüß Gott' })
    expect(await heard).toBe('grüß Gott')
  })

  it('500 messages, some in a transaction, sent without a pause, arrive in their order', async () => {
    const { client } = await connected(await tokenOf('user'))
    const heard: string[] = []
    client.subscribe('/topic/public/burst', ({ body }) => heard.push(body))
    const { id: transaction, commit } = client.begin()
    for (let number = 0; number < 500; number += 1) {
      const isInside = number >= 200 && number < 300
      const headers = isInside ? { transaction } : {}
      client.publish({ destination: '/topic/public/burst', body: String(number), headers })
      if (number === 299) commit()
    }
    await vi.waitUntil(() => heard.length >= 500, 20_000)
    expect(heard).toEqual(Array.from({ length: 500 }, (_, number) => String(number)))
  })

  it('T13 a message names its true sender, whatever its headers state, in a transaction as well', async () => {
    const [user, admin] = [await connected(await tokenOf('user')), await connected(await tokenOf('admin'))]
    const heard = await heardBy(admin.client, '/topic/public/desk')
    const forged = {
      sender: 'admin',
      'api-message-id': '1',
      'user-name': 'admin',
      server: 'gatehouse',
      session: '1',
      redelivered: 'true',
    }
    user.client.publish({ destination: '/topic/public/desk', body: 'at once', headers: forged })
    const transaction = user.client.begin()
    const headers = { ...forged, transaction: transaction?.id ?? '' }
    user.client.publish({ destination: '/topic/public/desk', body: 'later', headers })
    transaction?.commit()
    await vi.waitUntil(() => heard.length === 2, 20_000)
    for (const { headers } of heard) {
      expect(Object.keys(headers).sort()).toEqual([
        'content-length',
        'destination',
        'message-id',
        'sender',
        'subscription',
      ])
      expect(headers['sender']).toBe('user')
    }
  })

  it('an admin receives a new webhook, and the missed ones after a pause', async () => {
    const token = await tokenOf('admin')
    const told: Told[] = []
    const of = (stored: { eventId?: unknown }) => told.filter(({ eventId }) => eventId === stored.eventId)
    const [before, missed] = [payment(), payment()]
    const { client } = await connected(token)
    await subscribed(client, '/topic/webhooks', ({ body }) => told.push(JSON.parse(body)))
    await postPayment(before)
    await vi.waitUntil(() => of(before).length > 0, 20_000)
    await client.deactivate()
    await postPayment(missed)
    const { client: again } = await connected(token)
    const cursor = of(before)[0]?.cursor ?? ''
    again.subscribe('/topic/webhooks', ({ body }) => told.push(JSON.parse(body)), { 'resume-after': cursor })
    await vi.waitUntil(() => of(missed).length > 0, 20_000)
    expect(of(before)).toHaveLength(1)
  })

  it('invalid token: an authentication exception is raised and the client cannot subscribe or send', async () => {
    const { client, frame } = await connected('not.a.token')
    expect(frame.headers).toMatchObject({ 'token-status': 'MALFORMED' })
    expect(JSON.parse(frame.body)).toMatchObject({ status: 401, message: 'Invalid or expired JWT token', path: '/ws' })
    expect(client.connected).toBe(false)
  })
})
