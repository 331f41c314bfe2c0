import { randomUUID } from 'node:crypto'
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { dynamoDeliveryDesk, dynamoDeliveryStore } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoHealthStore } from '../../lib/adapters/dynamodb/health-store.ts'
import type { Documents } from '../../lib/adapters/dynamodb/table.ts'
import { type Health, healthyOf } from '../../lib/deliver/breaker.ts'
import type { HealthStore } from '../../lib/deliver/stores.ts'
import { ENGINE, TABLES } from '../support/emulated-store.ts'
import { START as NOW } from '../support/fakes/clock.ts'
import { MemoryDeliveries } from '../support/fakes/memory-deliveries.ts'
import { fakeAnd, startedStore } from './stores.ts'

const STORES = fakeAnd<HealthStore>(
  () => new MemoryDeliveries().healthStore,
  (documents) => dynamoHealthStore(documents, TABLES.deliveries),
)

const oneMore = (health: Health): Health => ({ ...health, failures: health.failures + 1 })

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

describe.each(STORES)('%s as a store of the health of destinations', (_, open) => {
  const store = open()

  it('an unknown destination is healthy', async () => {
    expect(await store.read('unknown')).toEqual(healthyOf('unknown'))
  })

  it('stores every changed field, and counts the writes', async () => {
    const destination = randomUUID()
    const disabled = {
      destination,
      state: 'DISABLED',
      failures: 3,
      failingSince: later(1),
      since: later(2),
      probeAt: later(3),
      heldUntil: later(4),
      by: 'admin',
      reason: 'too slow',
      lastAnswer: '503',
      lastAnswerAt: later(5),
      removedAt: later(6),
      version: 99,
    } as const
    const stored = { ...disabled, version: 1 }
    expect(await store.change(destination, () => disabled)).toEqual(stored)
    expect(await store.read(destination)).toEqual(stored)
    expect(await store.all()).toContainEqual(stored)
    const healthy = { ...healthyOf(destination), version: 2 }
    expect(await store.change(destination, () => healthyOf(destination))).toEqual(healthy)
    expect(await store.read(destination)).toEqual(healthy)
  })

  it('an empty change writes nothing', async () => {
    const destination = randomUUID()
    expect(await store.change(destination, () => undefined)).toEqual(healthyOf(destination))
    expect((await store.all()).map((health) => health.destination)).not.toContain(destination)
  })

  it('both of two parallel writers count, including the first write of all', async () => {
    const destination = randomUUID()
    for (let round = 1; round <= 3; round++) {
      await Promise.all([store.change(destination, oneMore), store.change(destination, oneMore)])
      expect(await store.read(destination)).toMatchObject({ failures: 2 * round, version: 2 * round })
    }
  })

  it('a removed destination is healthy again', async () => {
    const destination = randomUUID()
    await store.change(destination, oneMore)
    await store.remove(destination)
    await store.remove(destination)
    expect(await store.read(destination)).toEqual(healthyOf(destination))
    expect(await store.change(destination, oneMore)).toMatchObject({ failures: 1, version: 1 })
  })
})

describe(`${ENGINE} with other writers, or with lost answers`, () => {
  const store = startedStore()

  /** Every write is made, and made once more, because its answer did not arrive. */
  function forgetful(): Documents {
    const send = async (command: never) => {
      const isWrite = [PutCommand, UpdateCommand].some((kind) => (command as object) instanceof kind)
      if (isWrite) await store.documents.send(command)
      return store.documents.send(command)
    }
    return { send } as unknown as Documents
  }

  /** Somebody else changes the same before each of so many writes. */
  function contested(destination: string, times: number): Documents {
    let left = times
    const send = async (command: never) => {
      if ((command as object) instanceof PutCommand && left-- > 0)
        await dynamoHealthStore(store.documents, TABLES.deliveries).change(destination, oneMore)
      return store.documents.send(command)
    }
    return { send } as unknown as Documents
  }

  const immediately = async () => {}

  it('a change is counted once, although it was written twice', async () => {
    const destination = randomUUID()
    const health = dynamoHealthStore(forgetful(), TABLES.deliveries)
    for (const failures of [1, 2])
      expect(await health.change(destination, oneMore)).toMatchObject({ failures, version: failures })
    expect(await health.read(destination)).toMatchObject({ failures: 2, version: 2 })
  })

  it('a change is repeated on the values of other writers, and given up after six rounds', async () => {
    const patient = dynamoHealthStore(contested('patient', 5), TABLES.deliveries, immediately)
    expect(await patient.change('patient', oneMore)).toMatchObject({ failures: 6, version: 6 })
    const losing = dynamoHealthStore(contested('losing', 6), TABLES.deliveries, immediately)
    await expect(losing.change('losing', oneMore)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await losing.read('losing')).toMatchObject({ failures: 6 })
  })

  it('a delivery moves as if the first answer had arrived', async () => {
    const deliveries = dynamoDeliveryStore(forgetful(), TABLES.deliveries, immediately)
    const desk = dynamoDeliveryDesk(store.documents, TABLES.deliveries)
    const key = { source: 'payment', eventId: randomUUID(), destination: 'crm' }
    const times = { receivedAt: NOW, endsAt: later(9_999_999_999) }
    const fresh = { ...key, ...times, id: 7n, eventType: 'T', status: 'PENDING', attempts: 0 } as const
    const { delivery } = await desk.create({ ...fresh, history: [] }, { at: NOW, user: 'admin' })
    if (!delivery) throw new Error('not created')
    const claimOf = (n: number) => ({ ...key, n, owner: randomUUID(), now: NOW, leaseUntil: later(40) })
    const [first, second, third] = [claimOf(0), claimOf(1), claimOf(1)]
    expect(await deliveries.claim(first)).toMatchObject({ kind: 'claimed', delivery: { attempts: 1 } })
    const failure = { at: NOW, answer: '503', dueAt: NOW }
    expect(await deliveries.fail(first, delivery, failure)).toEqual({ kind: 'written' })
    expect(await deliveries.claim(second)).toMatchObject({ kind: 'claimed', delivery: { attempts: 2 } })
    expect(await deliveries.release(second, NOW)).toEqual({ kind: 'written' })
    expect(await deliveries.claim(third)).toMatchObject({ kind: 'claimed', delivery: { attempts: 2 } })
    expect(await deliveries.deliver(third, delivery, { answer: '200', at: NOW })).toEqual({ kind: 'written' })
    await desk.order(key, { at: later(1), user: 'admin' })
    expect(await deliveries.abandon({ ...key, n: 0 }, later(2), 'too late')).toEqual({ kind: 'written' })
    expect((await desk.of(key)).map(({ status }) => status)).toEqual(['DEAD'])
  })
})
