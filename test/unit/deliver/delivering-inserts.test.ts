import { describe, expect, it, vi } from 'vitest'
import type { Where } from '../../../lib/config.ts'
import { deliveringInserts } from '../../../lib/deliver/delivering-inserts.ts'
import { carriedOf, type DeliveryHint } from '../../../lib/deliver/delivery.ts'
import type { Destination } from '../../../lib/deliver/destination.ts'
import type { EventStore, InsertResult, NewRow } from '../../../lib/webhooks/place.ts'
import { START } from '../../support/fakes/clock.ts'
import { CRM, EVENT } from '../../support/fakes/deliveries.ts'
import { recordingLog } from '../../support/fakes/log.ts'

const STRIPE: Destination = { ...CRM, name: 'stripe-only', from: new Map([['stripe', ['**']]]) }

/** A store that answers with that, and what it and the queue were given. */
function storing(result: InsertResult, destinations: readonly Destination[] = [CRM, STRIPE], isQueueDown = false) {
  const rows: (readonly NewRow[] | undefined)[] = []
  const hints: DeliveryHint[] = []
  const log = recordingLog()
  const events: EventStore = {
    async insert(_event, _effects, beside) {
      rows.push(beside?.deliverTo)
      return result
    },
    noteConflict: async () => undefined,
    forget: async () => undefined,
  }
  const queue = {
    async send(hint: DeliveryHint) {
      if (isQueueDown) throw new Error('the queue is down')
      hints.push(hint)
    },
  }
  return { rows, hints, log, store: deliveringInserts(events, { destinations, queue, log }), events }
}

const HINT = { source: 'test', eventId: 'event-1', destination: 'crm', n: 0, carried: carriedOf(EVENT) }

describe('a stored event', () => {
  it('is stored together with a row for each destination that receives it, and sends them hints', async () => {
    const { store, rows, hints } = storing({ kind: 'inserted' })
    await store.insert(EVENT, {})
    expect(rows).toEqual([[{ destination: 'crm', sweepAt: new Date(START.getTime() + 40_000) }]])
    expect(hints).toEqual([HINT])
  })

  it('of up to 3 KB travels in the hint, a larger one does not', async () => {
    const { store, hints } = storing({ kind: 'inserted' })
    for (const size of [3072, 3073]) await store.insert({ ...EVENT, payload: Buffer.alloc(size) }, {})
    expect(hints.map(({ carried }) => carried && Buffer.from(carried.payload, 'base64').length)).toEqual([
      3072,
      undefined,
    ])
  })

  it('sends the hints as well if it was stored by an earlier try of the same call', async () => {
    const { store, hints } = storing({ kind: 'present', event: EVENT })
    await store.insert(EVENT, {})
    expect(hints).toEqual([HINT])
  })

  it('is stored although no hint can be sent', async () => {
    const { store, log } = storing({ kind: 'inserted' }, [CRM], true)
    expect(await store.insert(EVENT, {})).toEqual({ kind: 'inserted' })
    expect(log.of('hint not sent, the scan will find the row')).toHaveLength(1)
  })

  it('is judged once, by the content that it must have, and read only if a destination asks for it', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const wheres: Where[] = [{ json: { n: [1] } }, { json: { n: [2] } }, { headers: { 'x-a': ['1'] } }]
    const destinations = Array.from({ length: 24 }, (_, n) => ({ ...CRM, name: `d${n}`, where: wheres[n % 3] }))
    const payload = () => Buffer.from('{"n":2}')
    const { store, rows } = storing({ kind: 'inserted' }, destinations)
    await store.insert({ ...EVENT, payload: payload() }, {})
    expect(rows.flat().map((row) => row?.destination)).toEqual(['d1', 'd4', 'd7', 'd10', 'd13', 'd16', 'd19', 'd22'])
    expect(parse).toHaveBeenCalledTimes(1)
    const unasked = storing({ kind: 'inserted' }, [{ ...CRM, where: { headers: { 'x-a': ['1'] } } }])
    await unasked.store.insert({ ...EVENT, payload: payload() }, {})
    expect(parse).toHaveBeenCalledTimes(1)
    parse.mockRestore()
  })

  it('that no destination receives is stored without rows', async () => {
    const { store, rows, hints } = storing({ kind: 'inserted' }, [STRIPE])
    await store.insert(EVENT, {})
    expect([rows, hints]).toEqual([[undefined], []])
  })
})

it.each<[string, InsertResult]>([
  ['a duplicate', { kind: 'present', event: { ...EVENT, id: 8n } }],
  ['equal content', { kind: 'repeated', last: { eventId: 'event-0', at: START } }],
])('%s sends no hint', async (_name, result) => {
  const { store, hints } = storing(result)
  await store.insert(EVENT, {})
  expect(hints).toEqual([])
})

it('without destinations the store is unchanged', () => {
  const { store, events } = storing({ kind: 'inserted' }, [])
  expect(store).toBe(events)
})
