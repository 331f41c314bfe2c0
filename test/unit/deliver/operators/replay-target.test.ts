import { describe, expect, it } from 'vitest'
import { replayTarget } from '../../../../lib/deliver/operators/replay-target.ts'
import { operatorDesk } from '../../../support/fakes/desk.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const EVENT = { source: 'test', eventId: 'event-1' }

async function setUp(eventType = 'TEST') {
  const desk = await operatorDesk(failedEvent({ eventType }))
  const deliver = replayTarget(desk.parts)
  const order = () => ({ at: desk.clock.now(), user: 'admin', reason: 'replay r-1', replayId: 'r-1' })
  return { ...desk, replay: (destination: string, key = EVENT) => deliver(key, destination, order()) }
}

describe('a replay to a destination', () => {
  it('orders existing and missing deliveries, each once', async () => {
    const one = await setUp()
    one.add('crm')
    expect(await one.replay('crm')).toBe('done')
    expect(await one.replay('ledger')).toBe('done')
    expect(one.memory.find({ ...EVENT, destination: 'ledger' })).toMatchObject({ status: 'PENDING', replayId: 'r-1' })
    expect(await one.replay('crm')).toBe('done')
    expect(await one.replay('ledger')).toBe('done')
    expect(one.sent.map(({ hint }) => hint.destination)).toEqual(['crm', 'ledger'])
    expect(one.log.of('audit').map(({ decision, note }) => [decision, note])).toEqual([
      ['redelivered', 'replay r-1'],
      ['redelivered', 'replay r-1'],
    ])
  })

  it('skips events that the destination does not receive, unless they were delivered there before', async () => {
    const one = await setUp('OTHER')
    expect(await one.replay('crm')).toBe('unmeant')
    expect(one.memory.rows.size).toBe(0)
    one.add('crm')
    expect(await one.replay('crm')).toBe('done')
  })

  it('waits for deliveries under way', async () => {
    const one = await setUp()
    one.add('crm')
    const now = one.clock.now()
    const leaseUntil = new Date(now.getTime() + 40_000)
    await one.memory.store.claim({ ...EVENT, destination: 'crm', owner: 'worker', now, leaseUntil, n: 0 })
    expect(await one.replay('crm')).toBe('restless')
    one.clock.advance(40_001)
    expect(await one.replay('crm')).toBe('done')
  })

  it.each([
    ['a deleted event', 'crm', { ...EVENT, eventId: 'gone' }],
    ['a removed destination', 'erp', EVENT],
  ])('fails for %s', async (_, destination, key) => {
    const one = await setUp()
    expect(await one.replay(destination, key)).toBe('failed')
  })
})
