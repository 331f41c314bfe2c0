import { expect, it } from 'vitest'
import { endRemoved, scanDeliveries } from '../../../lib/deliver/scan.ts'
import { recordingAnnouncer } from '../../support/fakes/announcer.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { CRM, EVENT } from '../../support/fakes/deliveries.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryDeliveries } from '../../support/fakes/memory-deliveries.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'

const LEASE = 40_000
const HOUR = 3_600_000
const LATER = new Date(START.getTime() + 3 * HOUR)

/** Deliveries to `old`, which is configured no more, and to `crm`, which is. */
async function withRemoved(count: number) {
  const clock = fixedClock()
  const memory = new MemoryDeliveries()
  for (const name of ['old', 'crm']) {
    await memory.healthStore.change(name, (health) => health)
    for (let index = 0; index < count; index++) {
      memory.add({ ...EVENT, eventId: `event-${index}` }, [{ destination: name, sweepAt: LATER }])
    }
  }
  const metrics = recordingMetrics()
  const { store, due, healthStore: health } = memory
  const deaths = recordingAnnouncer()
  const parts = { names: new Set(['crm']), store, due, health, clock, deaths, metrics, log: recordingLog() }
  const row = (destination: string) => memory.find({ source: EVENT.source, eventId: 'event-0', destination })
  const queue = { send: async () => {} }
  return {
    memory,
    clock,
    deaths,
    metrics,
    row,
    end: (deadline = LATER) => endRemoved(parts, deadline),
    scan: (name: string) => scanDeliveries({ ...parts, queue, destinations: [{ ...CRM, name }] }, LATER),
  }
}

it('D10 the deliveries to a removed destination end and are reported, and the others continue to wait', async () => {
  const { end, row, deaths, metrics } = await withRemoved(3)
  await end()
  expect(row('old')).toMatchObject({ status: 'DEAD', answer: 'no such destination', attempts: 0 })
  expect(row('crm')).toMatchObject({ status: 'PENDING' })
  expect(metrics.counted).toEqual(Array.from({ length: 3 }, () => ['DeadDeliveries', { destination: 'old' }]))
  const why = { status: 'DEAD', answer: 'no such destination', at: '2026-01-02T03:04:05.000' }
  const death = { kind: 'delivery', source: EVENT.source, destination: 'old', ...why }
  expect(deaths.told).toEqual([0, 1, 2].map((index) => ({ ...death, eventId: `event-${index}` })))
})

it('a try to it that is under way ends first', async () => {
  const { end, row, memory, clock, deaths } = await withRemoved(1)
  const key = { source: EVENT.source, eventId: 'event-0', destination: 'old' }
  const leaseUntil = new Date(START.getTime() + LEASE)
  await memory.store.claim({ ...key, owner: 'a', n: 0, now: START, leaseUntil })
  await end()
  expect(row('old')?.status).toBe('SENDING')
  expect(deaths.told).toEqual([])
  clock.advance(LEASE + 1)
  await end()
  expect(row('old')?.status).toBe('DEAD')
})

it('deliveries that are left after a deadline end the next time', async () => {
  const { end, row } = await withRemoved(1)
  await end(START)
  expect(row('old')?.status).toBe('PENDING')
  await end()
  expect(row('old')?.status).toBe('DEAD')
})

it('a removed destination is checked for an hour, because a deployment may reach the scan before the intake', async () => {
  const { end, row, memory, clock } = await withRemoved(0)
  await end()
  clock.advance(HOUR - 1)
  memory.add({ ...EVENT, eventId: 'event-0' }, [{ destination: 'old', sweepAt: LATER }])
  await end()
  expect(row('old')?.status).toBe('DEAD')
  expect(memory.health.has('old')).toBe(true)
  clock.advance(1)
  await end()
  expect([...memory.health.keys()]).toEqual(['crm'])
})

it('a destination that is removed a second time is checked for an hour again', async () => {
  const { end, memory, clock, scan } = await withRemoved(0)
  await end()
  clock.advance(HOUR)
  await scan('old')
  expect(memory.health.get('old')?.removedAt).toBeUndefined()
  await end()
  expect(memory.health.has('old')).toBe(true)
})
