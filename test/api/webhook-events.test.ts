import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { payment, postPayment } from '../support/events.ts'

async function list(query: string): Promise<Answer> {
  return call(`/api/webhooks/events${query}`, bearer(await tokenOf('admin')))
}

/** Sends some payments of one event type of their own, so that a test finds its own events. */
async function sendMany(count: number, prefix: string): Promise<string[]> {
  const eventIds = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
  for (const eventId of eventIds) await postPayment(payment({ eventId }))
  return eventIds
}

/** The index is a copy that follows its table. */
async function untilListed(query: string, count: number): Promise<Answer> {
  return expect
    .poll(async () => list(query), { timeout: 20_000 })
    .toSatisfy(({ json }: Answer) => json.events.length === count)
    .then(() => list(query))
}

const unique = () => `list-${crypto.randomUUID()}`

describe('GET /api/webhooks/events', () => {
  it('shows the newest first, page by page, while others arrive', async () => {
    const q = unique()
    const sent = await sendMany(5, q)
    const first = await untilListed(`?q=${q}&limit=2`, 2)
    expect(first.json.events[0]).toMatchObject({ source: 'payment', eventType: 'PAYMENT', status: 'PROCESSED' })
    const seen = [...first.json.events]
    let cursor = first.json.nextCursor
    while (cursor !== null) {
      await sendMany(1, `${q}-later-${seen.length}`)
      const { status, json } = await list(`?q=${q}&limit=2&cursor=${cursor}`)
      expect(status).toBe(200)
      seen.push(...json.events)
      cursor = json.nextCursor
    }
    expect(seen.map(({ eventId }) => eventId)).toEqual(sent.toReversed())
  })

  it('returns the events that match every part of the filter', async () => {
    const q = unique()
    const stored = payment({ eventId: `${q}-1` })
    await postPayment(stored)
    await postPayment({ ...stored, eventId: `${q}-2`, orderId: 'another-order', status: 'REFUNDED' })
    const { json } = await untilListed(`?q=${q}`, 2)
    const [newest, oldest] = json.events
    const found = async (query: string) => (await list(`?q=${q}&${query}`)).json.events.length
    expect(await found('source=payment&type=PAYMENT')).toBe(2)
    expect(await found('source=stripe')).toBe(0)
    expect(await found('source=stripe&source=payment')).toBe(2)
    expect(await found('source=Payment')).toBe(0)
    expect(await found('type=nothing&type=PAYMENT&status=PROCESSED&status=RECEIVED')).toBe(1)
    expect(await found('status=PROCESSED&dead=false')).toBe(1)
    expect(await found(`from=${newest.receivedAt}`)).toBe(1)
    expect(await found(`to=${oldest.receivedAt}Z`)).toBe(1)
    expect(await found(`from=${oldest.receivedAt}&to=${newest.receivedAt}`)).toBe(2)
  })

  it('finds by a part of the error message, in any case and with either kind of blanks', async () => {
    const stored = payment()
    await postPayment(stored)
    await postPayment({ ...stored, eventId: unique(), currency: 'USD' })
    for (const q of ['another%20order', 'ANOTHER+Order']) {
      expect((await untilListed(`?q=${q}&limit=1`, 1)).json.events[0].errorMessage).toContain('another order')
    }
  })

  it.each([
    [
      'wrong and unknown parameters',
      '?limit=201&from=yesterday&status=FAILED&status=DONE&sort=asc',
      ['from', 'limit', 'sort', 'status'],
    ],
    ['an invalid cursor', '?cursor=abc', ['cursor']],
    ['bytes that are not UTF-8', '?q=%ff', ['query']],
  ])('P04 answers 400 to %s and names it', async (_, query, fields) => {
    const { status, json } = await list(query)
    expect(status).toBe(400)
    expect(json.message).toBe('Validation failed for request parameters')
    expect(json.details.validationErrors.map(({ field }: { field: string }) => field).sort()).toEqual(fields)
  })

  it('H32 answers 400 to a thousand parameters, and to 8 KB of one', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `p${index}=`).join('&')
    for (const query of [names, `q=${'x'.repeat(8000)}`, `cursor=${'x'.repeat(8000)}`]) {
      expect((await list(`?${query}`)).status).toBe(400)
    }
  })

  it('P03 takes an expression of the database as literal search text', async () => {
    const q = unique()
    await sendMany(1, q)
    await untilListed(`?q=${q}`, 1)
    for (const text of [
      "' OR '1'='1",
      '") OR attribute_exists(source) OR contains(eventId, "',
      ':q',
      '#q = :q OR #q <> :q',
      '%',
      '.*',
      '{"S":"payment"}',
    ]) {
      for (const query of [`q=${encodeURIComponent(text)}`, `type=${encodeURIComponent(text)}&q=${q}`]) {
        const { status, json } = await list(`?${query}`)
        expect(status).toBe(200)
        // Other tests may have sent what holds such a text.
        const ours = (json.events as { eventId: string }[]).filter(({ eventId }) => eventId.includes(q))
        expect(ours, query).toEqual([])
      }
    }
  })

  it('P01 is for admins', async () => {
    const { status, json } = await call('/api/webhooks/events', bearer(await tokenOf('user')))
    expect(status).toBe(403)
    expect(json.details).toMatchObject({ requiredRole: 'ROLE_ADMIN', resource: '/api/webhooks/events' })
  })
})
