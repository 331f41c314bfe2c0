import { createHash, randomBytes } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchGetCommand, BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  deleteParts,
  inlineBody,
  type PackedBytes,
  readStoredBody,
  writeParts,
} from '../../../../lib/adapters/dynamodb/stored-body.ts'
import type { EventKey } from '../../../../lib/webhooks/event.ts'
import { isSourceName } from '../../../../lib/webhooks/source.ts'
import { nameOf } from '../../../support/fakes/memory-store.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }))
const mock = mockClient(documents)
const TABLE = 'events'

beforeEach(() => {
  mock.reset()
})

const EXPIRY = new Date('2027-03-01T00:00:00Z')

const immediately = async () => {}

function largeEvent(payload = randomBytes(1_000_000)) {
  return failedEvent({ payload, payloadSha256: createHash('sha256').update(payload).digest('hex') })
}

const inItem = (payload: Buffer) =>
  readStoredBody(documents, TABLE, { ...failedEvent(), ...inlineBody(payload, true) }, immediately)

/** A table that takes and gives at most so many items of a batch. */
function table(limit = 100) {
  const items = new Map<string, EventKey & Partial<PackedBytes>>()
  mock.on(BatchWriteCommand).callsFake(({ RequestItems: { [TABLE]: puts } }) => {
    for (const { PutRequest: put, DeleteRequest: gone } of puts.slice(0, limit)) {
      if (put) items.set(nameOf(put.Item), put.Item)
      else items.delete(nameOf(gone.Key))
    }
    return { UnprocessedItems: puts.length > limit ? { [TABLE]: puts.slice(limit) } : {} }
  })
  mock.on(BatchGetCommand).callsFake(({ RequestItems: { [TABLE]: request } }) => {
    const found = request.Keys.slice(0, limit).map((key: EventKey) => items.get(nameOf(key)))
    const left = request.Keys.slice(limit)
    const rest = left.length > 0 ? { [TABLE]: { ...request, Keys: left } } : {}
    return { Responses: { [TABLE]: found.filter(Boolean).toReversed() }, UnprocessedKeys: rest }
  })
  return items
}

describe('a body that fits its item', () => {
  it.each([
    ['383 bytes', Buffer.alloc(383, 'x')],
    ['384 bytes', Buffer.alloc(384, 'x')],
    ['16 KiB', Buffer.alloc(16_384, '{"a":1},')],
    ['16 KiB and a byte', Buffer.alloc(16_385, '{"a":1},')],
    ['300,000 incompressible bytes', randomBytes(300_000)],
  ])('is restored byte by byte: %s', async (_, payload) => {
    expect((await inItem(payload)).equals(payload)).toBe(true)
  })

  it('is restored byte by byte, for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (bytes) => {
        expect((await inItem(Buffer.from(bytes))).equals(Buffer.from(bytes))).toBe(true)
      }),
    )
  })

  it('is stored compressed when it is large and unchanged when it is small', () => {
    expect(inlineBody(Buffer.alloc(100_000, 'x'), true)).toMatchObject({ coding: 'br' })
    expect(inlineBody(Buffer.alloc(10_000, 'x'), true)).toMatchObject({ coding: 'd1' })
    expect(inlineBody(Buffer.alloc(100, 'x'), true)).toEqual({ payload: Buffer.alloc(100, 'x') })
    expect(inlineBody(randomBytes(300_001), true)).toBeUndefined()
  })

  it('is smaller in a transaction, which costs twice as much', () => {
    expect(inlineBody(randomBytes(3072), false)).toBeDefined()
    expect(inlineBody(Buffer.alloc(100_000, 'x'), false)).toBeDefined()
    expect(inlineBody(randomBytes(3073), false)).toBeUndefined()
  })

  it('that is missing is an error and not an empty body', async () => {
    await expect(
      readStoredBody(documents, TABLE, failedEvent({ payload: undefined as never }), immediately),
    ).rejects.toThrow('without its body')
  })
})

describe('Q09 a body that fits no item', () => {
  it('is written in parts below 400 KB, in one request, and read in one, byte by byte', async () => {
    const items = table()
    const event = largeEvent(randomBytes(4_194_304))
    const parts = await writeParts(documents, TABLE, event, EXPIRY, immediately)
    expect(parts).toEqual({ payloadParts: 12, partsOf: String(event.id) })
    for (const { payload } of items.values()) expect(payload?.length).toBeLessThanOrEqual(350_000)
    const { payload: _payload, ...place } = { ...event, ...parts }
    expect((await readStoredBody(documents, TABLE, place, immediately)).equals(event.payload)).toBe(true)
    expect([mock.commandCalls(BatchWriteCommand).length, mock.commandCalls(BatchGetCommand).length]).toEqual([1, 1])
  })

  it('continues with the parts that a throttled table did not process', async () => {
    table(1)
    const event = largeEvent()
    await writeParts(documents, TABLE, event, EXPIRY, immediately)
    const { payload: _payload, ...place } = { ...event, payloadParts: 3, partsOf: String(event.id) }
    expect((await readStoredBody(documents, TABLE, place, immediately)).equals(event.payload)).toBe(true)
    expect([mock.commandCalls(BatchWriteCommand).length, mock.commandCalls(BatchGetCommand).length]).toEqual([3, 3])
  })

  it('is unavailable, not lost, when the table accepts nothing', async () => {
    table(0)
    const rounds: number[] = []
    const pause = async (round: number) => void rounds.push(round)
    await expect(writeParts(documents, TABLE, largeEvent(), EXPIRY, pause)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect(rounds).toEqual([0, 1, 2, 3, 4])
  })

  it('shares no part with another event of the same body, so that each can be deleted separately', async () => {
    const items = table()
    const [event, other] = [largeEvent(), 99n]
    await writeParts(documents, TABLE, event, EXPIRY, immediately)
    await writeParts(documents, TABLE, { ...event, id: other }, EXPIRY, immediately)
    expect(items.size).toBe(6)
    await deleteParts(documents, TABLE, { ...event, partsOf: String(event.id) }, 3, immediately)
    expect([...items.values()].map(({ source }) => source.includes(`/${other}/`))).toEqual([true, true, true])
  })

  it('expires if its event is never stored', async () => {
    const items = table()
    await writeParts(documents, TABLE, largeEvent(), EXPIRY, immediately)
    for (const item of items.values()) expect(item).toMatchObject({ expireAt: EXPIRY.getTime() / 1000 })
  })

  it('has names for its parts that no source can have', async () => {
    const items = table()
    await writeParts(documents, TABLE, largeEvent(), EXPIRY, immediately)
    for (const { source } of items.values()) expect(isSourceName(source)).toBe(false)
  })

  it.each([
    ['misses a part', undefined],
    ['has other bytes in a part', { payload: Buffer.from('others') }],
  ])('Q13 is never returned when it %s', async (_, bytes) => {
    const items = table()
    const event = largeEvent()
    await writeParts(documents, TABLE, event, EXPIRY, immediately)
    const [[name, first] = ['', event]] = items
    items.delete(name)
    if (bytes) items.set(name, { source: first.source, eventId: first.eventId, ...bytes })
    const { payload: _payload, ...place } = { ...event, payloadParts: 3, partsOf: String(event.id) }
    await expect(readStoredBody(documents, TABLE, place, immediately)).rejects.toThrow('not the body that was received')
  })
})
