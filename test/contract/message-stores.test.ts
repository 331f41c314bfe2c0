import { describe, expect, it } from 'vitest'
import { dynamoMessageReader, dynamoMessageWriter } from '../../lib/adapters/dynamodb/messages.ts'
import type { MessageRow, MessageStore } from '../../lib/messages/message.ts'
import { TABLES } from '../support/emulated-store.ts'
import { MemoryMessages } from '../support/fakes/messages.ts'
import { fakeAnd, startedStore } from './stores.ts'

const STORES = fakeAnd<MessageStore>(
  () => new MemoryMessages(),
  (documents) => ({
    ...dynamoMessageWriter(TABLES.messages, 20_000),
    ...dynamoMessageReader(documents, TABLES.messages),
  }),
)

const MINUTE = 60_000

/** Far enough away that no table clears a row away during a test; each test has minutes of its own. */
let day = Date.parse('2100-01-01T00:00:00.000Z')

const rowOf = (changes: Partial<MessageRow>): MessageRow => ({
  at: day,
  origin: 'one',
  number: 1,
  after: 0,
  content: '[]',
  ...changes,
})

describe.each(STORES)('%s as a store of messages', (_, open) => {
  const messages = open()

  async function stored(rows: readonly MessageRow[]): Promise<readonly MessageRow[]> {
    for (const row of rows) await messages.put(row)
    return rows
  }

  it('returns rows from a time on, over minutes, in the order of their times', async () => {
    day += 10 * MINUTE
    const times = [-1, 0, MINUTE - 1, MINUTE, 3 * MINUTE]
    const rows = await stored(times.map((time, index) => rowOf({ at: day + time, number: index + 1, after: index })))
    expect(await messages.since(day, day + 3 * MINUTE + 1, '')).toEqual(rows.slice(1))
    expect(await messages.since(day + 5 * MINUTE, day + 5 * MINUTE, '')).toEqual([])
  })

  it('returns rows of one writer and time in the order of their numbers', async () => {
    day += 10 * MINUTE
    const rows = await stored([9, 10, 11].map((number) => rowOf({ number, after: number - 1 })))
    expect(await messages.since(day, day + 1, '')).toEqual(rows)
  })

  it('returns none of the writer who asks', async () => {
    day += 10 * MINUTE
    const [one, other] = await stored(['one', 'other'].map((origin, index) => rowOf({ at: day + index, origin })))
    expect(await messages.since(day, day + 1, 'one')).toEqual([other])
    expect(await messages.since(day, day + 1, 'other')).toEqual([one])
  })

  it('returns more than a page has, as it was stored', async () => {
    day += 10 * MINUTE
    const content = JSON.stringify(['zoë 😀 \u2028 "\\', '\u0000\uffff', 'x'.repeat(240_000)])
    const rows = await stored(
      Array.from({ length: 6 }, (_, index) => rowOf({ at: day + index, number: index + 1, content })),
    )
    expect(await messages.since(day, day + 10, '')).toEqual(rows)
  })
})

describe('a put that is refused', () => {
  startedStore()

  it('rejects, and names no content', async () => {
    const row = rowOf({ content: '["secret"]' })
    const failure = await dynamoMessageWriter('no-such-table', 20_000).put(row).catch(String)
    expect(failure).toMatch(/^Error: DynamoDB answered 400 \w+$/)
  })
})
