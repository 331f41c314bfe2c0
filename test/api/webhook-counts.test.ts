import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EventStatus } from '../../lib/webhooks/event.ts'
import { tokenOf } from '../support/accounts.ts'
import { makeKey, withKey } from '../support/api-keys.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { leaveBehind } from '../support/local-tables.ts'

const COUNTS = '/api/webhooks/counts'
const SHOP = `shop-${randomUUID().slice(0, 8)}`
const BANK = `bank-${randomUUID().slice(0, 8)}`
const OURS = `source=${SHOP}&source=${BANK}`

/** Left before all that other tests send. */
const ROWS: readonly (readonly [string, EventStatus, string])[] = [
  [SHOP, 'FAILED', '2025-03-04T05:06:07.001Z'],
  [SHOP, 'RETRY', '2025-03-04T05:06:07.002Z'],
  [BANK, 'FAILED', '2025-03-04T05:40:00Z'],
]

async function counts(query: string): Promise<Answer> {
  return call(`${COUNTS}?${query}`, bearer(await tokenOf('admin')))
}

beforeAll(async () => {
  for (const [index, [source, status, at]] of ROWS.entries()) {
    const receivedAt = new Date(at)
    const id = (BigInt(receivedAt.getTime()) << 21n) + BigInt(index)
    const event = { id, source, status, receivedAt, eventId: `evt-${index}`, eventType: `t${index}` }
    // No scan runs them meanwhile.
    await leaveBehind(failedEvent({ ...event, dead: true, nextRetryAt: undefined }))
  }
})

describe('GET /api/webhooks/counts', () => {
  it('counts by status, by source and over time', async () => {
    const span = 'from=2025-03-04T05:00:00&to=2025-03-04T06:00:00'
    const { status, json } = await counts(`${OURS}&${span}`)
    expect(status).toBe(200)
    const { buckets, ...others } = json
    expect(others).toEqual({
      from: '2025-03-04T05:00:00.000',
      to: '2025-03-04T06:00:00.000',
      complete: true,
      bucketSeconds: 60,
      totals: { status: { FAILED: 2, RETRY: 1 }, dead: 3, source: { [BANK]: 1, [SHOP]: 2 } },
    })
    expect(buckets).toHaveLength(61)
    expect(buckets[6]).toEqual({ at: '2025-03-04T05:06:00.000', status: { FAILED: 1, RETRY: 1 }, dead: 2 })
    expect(buckets[40]).toEqual({ at: '2025-03-04T05:40:00.000', status: { FAILED: 1 }, dead: 1 })
    expect(buckets[7]).toEqual({ at: '2025-03-04T05:07:00.000', status: {} })
  })

  it('counts only the selected events, of the last day if nothing is said', async () => {
    for (const [query, total] of [
      ['', 0],
      ['from=2025-03-04T05:00:00&status=FAILED&status=RETRY&type=t0&type=t1', 2],
      ['to=2025-03-04T12:00:00', 3],
      ['to=2025-03-04T12:00:00&q=EVT-1', 1],
      ['to=2025-03-04T12:00:00&attention=true', 3],
      ['to=2025-03-04T12:00:00&dead=false', 0],
    ]) {
      const { status, json } = await counts(`${OURS}&${query}`)
      expect(status).toBe(200)
      const numbers: number[] = Object.values(json.totals.source)
      expect([query, numbers.reduce((sum, number) => sum + number, 0)]).toEqual([query, total])
    }
  })

  it.each([
    ['dead=no&limit=1&from=now&source=%00', ['dead', 'from', 'limit', 'source']],
    ['from=2025-03-04T05:00:00&to=2025-03-03T05:00:00', ['to']],
  ])('P04 answers 400 to %j', async (query, fields) => {
    const { status, json } = await counts(query)
    expect(status).toBe(400)
    expect(json.details.validationErrors.map(({ field }: { field: string }) => field).sort()).toEqual(fields)
  })

  it('counts for a key only the events that the key may read', async () => {
    const { key } = await makeKey([SHOP])
    const totalsOf = async (query: string) =>
      (await call(`${COUNTS}?from=2025-03-04T05:00:00${query}`, withKey(key))).json.totals.source
    expect(await totalsOf('')).toEqual({ [SHOP]: 2 })
    expect(await totalsOf(`&source=${SHOP}`)).toEqual({ [SHOP]: 2 })
    const other = await call(`${COUNTS}?source=${SHOP}&source=${BANK}`, withKey(key))
    expect([other.status, other.json.details.sources]).toEqual([403, [SHOP]])
  })

  it('is for admins', async () => {
    expect((await call(COUNTS)).status).toBe(401)
    expect((await call(COUNTS, bearer(await tokenOf('user')))).status).toBe(403)
  })
})
