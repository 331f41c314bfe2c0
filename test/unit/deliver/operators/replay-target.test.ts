import { describe, expect, it } from 'vitest'
import { replayTarget } from '../../../../lib/deliver/operators/replay-target.ts'
import { operatorDesk } from '../../../support/fakes/desk.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const EVENT = { source: 'test', eventId: 'event-1' }

async function setUp(eventType = 'TEST') {
  const desk = await operatorDesk(failedEvent({ eventType }))
  const deliver = replayTarget(desk.parts)
  const order = () => ({ at: desk.clock.now(), user: 'admin', reason: 'replay r-1', replayId: 'r-1' })
  return { ...desk, replay: (destination: string, key = EVENT) => deliver(key, order(), destination) }
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
})
