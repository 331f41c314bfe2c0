import { describe, expect, it } from 'vitest'
import { disabled } from '../../../../lib/deliver/breaker.ts'
import { replayTarget } from '../../../../lib/deliver/operators/order.ts'
import type { DeliveryState, ReplayFilter } from '../../../../lib/webhooks/operators/replay.ts'
import { operatorDesk } from '../../../support/fakes/desk.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const EVENT = { source: 'test', eventId: 'event-1' }

async function setUp(eventType = 'TEST') {
  const desk = await operatorDesk(failedEvent({ eventType }))
  const deliver = replayTarget(desk.parts)
  const order = () => ({ at: desk.clock.now(), user: 'admin', reason: 'replay r-1', replayId: 'r-1' })
  return {
    ...desk,
    replay: (destination: string, key = EVENT, filter: ReplayFilter = {}) =>
      deliver(key, order(), { destination, filter }),
  }
}

describe('a replay to a destination', () => {
  it('orders existing and missing deliveries, each once', async () => {
    const one = await setUp()
    one.add('crm')
    for (const name of ['crm', 'ledger', 'crm', 'ledger']) await one.replay(name)
    for (const destination of ['crm', 'ledger'])
      expect(one.memory.find({ ...EVENT, destination })).toMatchObject({ status: 'PENDING', replayId: 'r-1' })
    expect(one.sent.map(({ hint }) => hint.destination)).toEqual(['crm', 'ledger'])
    expect(one.log.of('audit').map(({ decision, note }) => [decision, note])).toEqual([
      ['redelivered', 'replay r-1'],
      ['redelivered', 'replay r-1'],
    ])
  })

  it('skips events that the destination does not receive, unless they were delivered there before', async () => {
    const one = await setUp('OTHER')
    await one.replay('crm')
    expect(one.memory.rows.size).toBe(0)
    one.add('crm')
    await one.replay('crm')
    expect(one.memory.find({ ...EVENT, destination: 'crm' })).toMatchObject({ replayId: 'r-1' })
  })

  it.each([
    [{ json: { n: [1] } }, 1],
    [{ json: { n: [2] } }, 0],
  ])('judges the content of events that had no delivery: %j', async (where, count) => {
    const desk = await operatorDesk(failedEvent({ payload: Buffer.from('{"n":1}') }))
    const destinations = desk.parts.destinations.map((one) => ({ ...one, where }))
    const order = { at: desk.clock.now(), user: 'admin', reason: 'replay r-1', replayId: 'r-1' }
    await replayTarget({ ...desk.parts, destinations })(EVENT, order, { destination: 'ledger', filter: {} })
    expect(desk.memory.rows.size).toBe(count)
  })

  it('leaves alone a delivery under way', async () => {
    const one = await setUp()
    one.add('crm')
    const now = one.clock.now()
    const leaseUntil = new Date(now.getTime() + 40_000)
    await one.memory.store.claim({ ...EVENT, destination: 'crm', owner: 'worker', now, leaseUntil, n: 0 })
    await one.replay('crm')
    expect(one.memory.find({ ...EVENT, destination: 'crm' })?.replayId).toBeUndefined()
    one.clock.advance(40_001)
    await one.replay('crm')
    expect(one.memory.find({ ...EVENT, destination: 'crm' })?.replayId).toBe('r-1')
  })

  it.each([
    ['a deleted event', 'crm', { ...EVENT, eventId: 'gone' }],
    ['a removed destination', 'erp', EVENT],
  ])('orders nothing for %s', async (_, destination, key) => {
    const one = await setUp()
    await one.replay(destination, key)
    expect([one.sent, one.memory.rows.size]).toEqual([[], 0])
  })

  const NOW = new Date('2026-01-02T03:04:05Z')
  const states: readonly DeliveryState[] = ['DEAD', 'PENDING', 'PARKED', 'DELIVERED']

  type Desk = Awaited<ReturnType<typeof setUp>>
  const CRM = { ...EVENT, destination: 'crm' }

  async function tried({ memory, clock }: Desk) {
    const now = clock.now()
    const claim = { ...CRM, owner: 'worker', now, leaseUntil: new Date(now.getTime() + 40_000), n: 0 }
    const { delivery } = await memory.store.claim(claim)
    if (!delivery) throw new Error('no delivery')
    return { claim, delivery, now }
  }

  const OWN: Readonly<Record<DeliveryState, (desk: Desk) => Promise<unknown>>> = {
    PENDING: async () => undefined,
    PARKED: ({ memory }) => memory.healthStore.change('crm', (health) => disabled(health, { at: NOW, user: 'admin' })),
    async DELIVERED(desk) {
      const { claim, delivery, now } = await tried(desk)
      await desk.memory.store.deliver(claim, delivery, { answer: 'HTTP 204', at: now })
    },
    async DEAD(desk) {
      const { claim, delivery, now } = await tried(desk)
      await desk.memory.store.fail(claim, delivery, { at: now, answer: 'no', dueAt: undefined })
    },
  }

  it.each(states)('orders a delivery that is %s for that state alone', async (own) => {
    const ordered: DeliveryState[] = []
    for (const state of states) {
      const one = await setUp()
      one.add('crm')
      await OWN[own](one)
      await one.replay('crm', EVENT, { delivery: [state] })
      if (one.memory.find(CRM)?.replayId === 'r-1') ordered.push(state)
    }
    expect(ordered).toEqual([own])
  })

  it('with a state, orders none that was never delivered there', async () => {
    const one = await setUp()
    await one.replay('crm', EVENT, { delivery: states })
    expect(one.memory.rows.size).toBe(0)
  })
})
