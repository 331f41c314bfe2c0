import { describe, expect, it, vi } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { bearer, call } from '../support/client.ts'
import { eventDetail, postJson } from '../support/events.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { leaveBehind } from '../support/local-tables.ts'
import { connected, subscribed } from '../support/stomp-client.ts'

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/

/** What the sessions of some people are told of an event or a replay; the tests of others order as the same people. */
async function listeners(...names: readonly string[]) {
  const told = new Map<string, string[]>(names.map((name) => [name, []]))
  for (const [name, bodies] of told) {
    const { client } = await connected(await tokenOf(name))
    await subscribed(client, '/user/queue/notices', ({ body }) => bodies.push(body))
  }
  const of = (id: string) => (name: string) =>
    (told.get(name) ?? []).filter((body) => body.includes(id)).map((body) => JSON.parse(body))
  return {
    of: (id: string) => Object.fromEntries(names.map((name) => [name, of(id)(name)])),
    heard: (name: string, id: string) => vi.waitUntil(() => of(id)(name).length > 0, 20_000),
  }
}

async function order(name: string, path: string, body: object): Promise<void> {
  const { status } = await call(path, postJson(body, bearer(await tokenOf(name)).headers))
  expect(status).toBe(202)
}

/** A dead event: one of `demo` is processed when it runs again, one of `payment` fails again, as it is no payment. */
async function deadEvent(source: string, eventId = `dead-${crypto.randomUUID()}`): Promise<string> {
  const payload = Buffer.from(JSON.stringify({ eventId }))
  const dead = { dead: true, attempts: 3, nextRetryAt: undefined, receivedAt: new Date() }
  await leaveBehind(failedEvent({ source, eventId, payload, ...dead }))
  return eventId
}

describe('only the user who gave an order receives its result on /user/queue/notices', () => {
  it('a retry over HTTP: when no attempt is left', async () => {
    const eventId = await deadEvent('payment')
    const { of, heard } = await listeners('admin', 'jdbcadmin', 'user')
    await order('admin', `/api/webhooks/events/payment/${eventId}/retry`, {})
    await heard('admin', eventId)
    const notice = { type: 'retry-finished', source: 'payment', eventId, status: 'FAILED' }
    const { json } = await eventDetail('payment', eventId)
    expect(json.dead).toBe(true)
    expect(of(eventId)).toEqual({ admin: [{ ...notice, at: json.history.at(-1).at }], jdbcadmin: [], user: [] })
  })

  it('a replay: when it is done, with its counts, and without a notice for each event', async () => {
    const replayId = `replay-${crypto.randomUUID()}`
    await deadEvent('demo', `${replayId}-1`)
    await deadEvent('demo', `${replayId}-2`)
    const { of, heard } = await listeners('admin', 'jdbcadmin', 'user')
    await order('admin', '/api/webhooks/replays', { replayId, filter: { q: replayId } })
    await heard('admin', replayId)
    const notice = { type: 'replay-finished', replayId, state: 'DONE', matched: 2, done: 2, failed: 0 }
    const at = expect.stringMatching(LOCAL_TIME)
    expect(of(replayId)).toEqual({ admin: [{ ...notice, at }], jdbcadmin: [], user: [] })
  })
})
