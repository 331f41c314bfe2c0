import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { dynamoChangeReader } from '../../lib/adapters/dynamodb/event-list.ts'
import { dynamoOperatorStore } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import { firstIdAt } from '../../lib/runtime/ids.ts'
import { changeIdOf, type EventChange } from '../../lib/webhooks/live/cursor.ts'
import type { ChangeReader } from '../../lib/webhooks/live/feed.ts'
import { ENGINE, TABLES } from '../support/emulated-store.ts'
import { START } from '../support/fakes/clock.ts'
import { failedEvent as template } from '../support/fakes/webhooks.ts'
import { startedStore } from './stores.ts'

const SECOND = 1000
const at = (seconds: number) => new Date(START.getTime() + seconds * SECOND)

function event(seconds: number) {
  const payloadSha256 = randomUUID().replaceAll('-', '').repeat(2)
  const id = firstIdAt(at(seconds).getTime()) + 7n
  const times = { receivedAt: at(seconds), nextRetryAt: at(seconds) }
  const proof = { level: 'body', typeSigned: true, idSigned: true, key: 'test#1' } as const
  return template({ id, eventId: randomUUID(), ...times, payloadSha256, proof })
}

async function all(reader: ChangeReader, start: bigint): Promise<readonly EventChange[]> {
  const found: EventChange[] = []
  for (let position: bigint | undefined = start; position !== undefined; ) {
    const { changes, upTo } = await reader.after(position)
    found.push(...changes)
    position = upTo
  }
  return found
}

describe(`changes in ${ENGINE}`, () => {
  const store = startedStore()
  let reader: ChangeReader
  let events: ReturnType<typeof dynamoEventStore>
  let retries: ReturnType<typeof dynamoRetryStore>

  beforeAll(() => {
    const { documents } = store
    reader = dynamoChangeReader(documents, TABLES.events)
    events = dynamoEventStore(documents, TABLES)
    retries = dynamoRetryStore(documents, TABLES)
  })

  it('are in the order of their time, with the fields of a hint, and without repetition', async () => {
    const stored = Array.from({ length: 900 }, (_, second) => event(second))
    for (let index = 0; index < stored.length; index += 50) {
      await Promise.all(stored.slice(index, index + 50).map((each) => events.insert(each, {})))
    }
    const found = await all(reader, firstIdAt(START.getTime()) - 1n)
    expect(found.map(({ eventId }) => eventId)).toEqual(stored.map(({ eventId }) => eventId))
    expect(found[7]).toEqual({
      changeId: stored[7]?.id.toString(),
      id: stored[7]?.id.toString(),
      source: 'test',
      eventId: stored[7]?.eventId,
      eventType: 'TEST',
      status: 'FAILED',
      receivedAt: '2026-01-02T03:04:12.000',
      proof: { level: 'body', typeSigned: true, idSigned: true, key: 'test#1', signedAt: null },
    })
    expect(await all(reader, stored[880]?.id ?? 0n)).toEqual(found.slice(881))
  })

  it('show an event at its last change; the start or the release of a run is not a change', async () => {
    const changed = event(10_000)
    const { source, eventId } = changed
    await events.insert(changed, {})
    const claim = (seconds: number, n: number) => ({
      ...{ source, eventId, owner: 'me', maxAttempts: 3, n },
      now: at(seconds),
      leaseUntil: at(seconds + 60),
    })
    const changesNow = async () =>
      (await all(reader, firstIdAt(at(9999).getTime()))).map(({ changeId, status }) => [changeId, status])
    const positionAt = (seconds: number) => changeIdOf({ source, eventId }, at(seconds)).toString()

    await retries.claim(claim(10_010, 1))
    expect(await changesNow()).toEqual([[`${changed.id}`, 'RETRY']])
    await retries.release(claim(10_010, 1), undefined, at(10_015))
    expect(await changesNow()).toEqual([[`${changed.id}`, 'FAILED']])
    await retries.claim(claim(10_020, 1))
    const failure = { at: at(10_030), errorMessage: 'no', nextRetryAt: undefined }
    await retries.fail(claim(10_020, 1), changed, failure)
    expect(await changesNow()).toEqual([[positionAt(10_030), 'FAILED']])
    const operators = dynamoOperatorStore(store.documents, TABLES.events)
    await operators.reset({ source, eventId }, { at: at(10_040), user: 'admin' })
    expect(await changesNow()).toEqual([[positionAt(10_040), 'FAILED']])
    await retries.claim(claim(10_050, 1))
    await retries.finish(claim(10_050, 1), changed, {}, at(10_060))
    expect(await changesNow()).toEqual([[positionAt(10_060), 'PROCESSED']])
  })
})
