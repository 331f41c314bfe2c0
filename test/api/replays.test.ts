import { describe, expect, it, vi } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { eventDetail, payment, postJson, postPayment } from '../support/events.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { leaveBehind, leaveReplay } from '../support/local-tables.ts'

const unique = () => `replay-${crypto.randomUUID()}`

async function start(body: unknown, user = 'admin'): Promise<Answer> {
  const { headers } = bearer(await tokenOf(user))
  return call('/api/webhooks/replays', postJson(body, headers))
}

async function find(replayId: string): Promise<Answer> {
  return call(`/api/webhooks/replays/${replayId}`, bearer(await tokenOf('admin')))
}

async function untilDone(replayId: string): Promise<Answer> {
  await vi.waitUntil(async () => (await find(replayId)).json.state === 'DONE', { timeout: 20_000, interval: 200 })
  return find(replayId)
}

/** Payments that contradict stored ones, until their retries are used up. */
async function deadEvents(count: number, prefix: string): Promise<string[]> {
  const eventIds = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
  for (const eventId of eventIds) {
    const stored = payment()
    await postPayment(stored)
    await postPayment({ ...stored, eventId, orderId: 'another-order', status: 'REFUNDED' })
  }
  for (const eventId of eventIds) {
    const isDead = async () => (await eventDetail('payment', eventId)).json.dead
    await vi.waitUntil(isDead, { timeout: 20_000, interval: 200 })
  }
  return eventIds
}

describe('POST /api/webhooks/replays', () => {
  it('processes each failed event once, and reports its progress', async () => {
    const replayId = unique()
    const eventIds = await deadEvents(3, replayId)
    const body = { replayId, filter: { q: replayId, dead: true }, reason: 'orders corrected', ratePerSecond: 50 }
    const dry = await start({ ...body, dryRun: true })
    expect([dry.status, dry.json]).toEqual([200, { matched: 3 }])
    expect((await find(replayId)).status).toBe(404)

    const { status, json } = await start({ ...body, dryRun: false })
    expect(status).toBe(202)
    expect(json).toEqual({ replayId, state: 'RUNNING', matched: 3, done: 0, failed: 0 })
    expect((await untilDone(replayId)).json).toEqual({ replayId, state: 'DONE', matched: 3, done: 0, failed: 3 })

    for (const eventId of eventIds) {
      const { history } = (await eventDetail('payment', eventId)).json
      const orders = history.filter(({ by }: { by: string }) => by.startsWith('operator'))
      expect(orders.map(({ by }: { by: string }) => by)).toEqual([
        `operator admin: replay ${replayId}: orders corrected`,
      ])
    }
  })

  it('P07 changes nothing when the same replayId is sent again, and answers 409 to another content', async () => {
    const replayId = unique()
    const body = { replayId, filter: { q: replayId } }
    expect((await start(body)).status).toBe(202)
    await untilDone(replayId)
    const again = await start({ ...body, ratePerSecond: 10 })
    expect([again.status, again.json]).toEqual([202, { replayId, state: 'DONE', matched: 0, done: 0, failed: 0 }])
    const other = await start({ ...body, reason: 'another' })
    expect(other.status).toBe(409)
    expect(other.json).toMatchObject({ error: 'Conflict', message: 'Replay already exists with another content' })
  })

  it('is started by the scan after its message was lost, and waits for an event that another worker processes', async () => {
    const replayId = unique()
    const event = { source: 'demo', eventId: replayId }
    const now = new Date()
    const leaseUntil = new Date(now.getTime() + 1000)
    const payload = Buffer.from(JSON.stringify({ eventId: replayId }))
    const taken = { status: 'PROCESSING', owner: 'another', leaseUntil, nextRetryAt: leaseUntil, replayId } as const
    await leaveBehind(failedEvent({ ...event, ...taken, payload, receivedAt: now }))
    const progress = { state: 'RUNNING', matched: 1, done: 0, failed: 0, isListed: true } as const
    const order = { replayId, filter: {}, ratePerSecond: 50, user: 'admin', acceptedAt: now, step: 0 }
    await leaveReplay({ ...order, ...progress })
    expect((await untilDone(replayId)).json).toMatchObject({ state: 'DONE', done: 1, failed: 0 })
  })

  it.each([
    ['nothing', {}, ['filter', 'replayId']],
    [
      'wrong and unknown fields',
      { replayId: 'a/b', filter: { from: 'yesterday', eventId: 'a' }, ratePerSecond: '5', dryRun: 'no', speed: 1 },
      ['dryRun', 'filter.eventId', 'filter.from', 'ratePerSecond', 'replayId', 'speed'],
    ],
    ['broken JSON', '{', ['body']],
  ])('answers 400 to %s and names it', async (_, body, fields) => {
    const { status, json } = await start(body)
    expect(status).toBe(400)
    expect(json.details.validationErrors.map(({ field }: { field: string }) => field).sort()).toEqual(fields)
  })

  it('P01, P06 is for admins: 401 without credentials, 403 for a user, 403 for a session without its CSRF token', async () => {
    expect((await call('/api/webhooks/replays', postJson({}))).status).toBe(401)
    expect((await start({}, 'user')).json.message).toBe("You don't have permission to access this resource")
    const client = new CookieClient()
    await client.login('admin', demoUser('admin').password)
    expect((await client.call('/api/webhooks/replays', postJson({}))).status).toBe(403)
  })
})

describe('GET /api/webhooks/replays/{replayId}', () => {
  it('answers 404 for an unknown replay', async () => {
    const { status, json } = await find('nothing')
    expect(status).toBe(404)
    expect(json).toMatchObject({ error: 'Not Found', message: 'Replay not found' })
  })

  it('is for admins', async () => {
    const { status } = await call('/api/webhooks/replays/nothing', bearer(await tokenOf('user')))
    expect(status).toBe(403)
  })
})

describe('GET /api/webhooks/replays', () => {
  const list = async (query = '') => call(`/api/webhooks/replays${query}`, bearer(await tokenOf('admin')))

  /** All of them, page by page. */
  async function walk() {
    const found: { readonly replayId: string }[] = []
    let cursor: string | null = ''
    do {
      const { status, json }: Answer = await list(`?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(status).toBe(200)
      found.push(...json.replays)
      cursor = json.nextCursor
    } while (cursor)
    return found
  }

  it('lists the replays with user and progress, the last accepted first, each once over its pages', async () => {
    const [first, second] = [unique(), unique()]
    const filter = { source: 'demo', from: '2026-01-01T00:00:00', to: '2026-01-01T00:00:00.001Z', q: first, dead: true }
    await start({ replayId: first, filter, reason: 'the shop is open again', ratePerSecond: 7 })
    await start({ replayId: second, filter: { status: 'FAILED', q: second } })
    await untilDone(first)
    await untilDone(second)
    const state = { state: 'DONE', matched: 0, done: 0, failed: 0, destination: null, user: 'admin' }
    expect((await walk()).filter(({ replayId }) => [first, second].includes(replayId))).toMatchObject([
      { ...state, replayId: second, filter: { status: 'FAILED', q: second }, reason: null, ratePerSecond: 10 },
      {
        ...state,
        replayId: first,
        filter: { ...filter, from: '2026-01-01T00:00:00.000', to: '2026-01-01T00:00:00.001' },
        reason: 'the shop is open again',
        ratePerSecond: 7,
      },
    ])
  })

  it.each(['cursor=abc', 'limit=201', 'q=a'])('answers 400 to %s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400)
  })
})
