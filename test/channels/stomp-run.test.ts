import { describe, expect, it, vi } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { payment, postPayment } from '../support/events.ts'
import { connected, subscribed } from '../support/stomp-client.ts'

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
})
