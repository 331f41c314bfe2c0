import type { QueryCommand } from '@aws-sdk/lib-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dynamoEventList } from '../../../../lib/adapters/dynamodb/event-list.ts'
import type { Documents } from '../../../../lib/adapters/dynamodb/table.ts'
import type { Position } from '../../../../lib/webhooks/operators/list.ts'

interface Row {
  readonly shard: number
  readonly id: number
  readonly eventId: string
  /** Whether the filter lets it pass. */
  readonly isFailed: boolean
}

/** The index of a table: answers queries in any order of equal ids, and ends its pages wherever `cut` wants. */
function indexOf(rows: readonly Row[], cut: () => number) {
  const queries: QueryCommand['input'][] = []
  const send = async ({ input }: QueryCommand) => {
    queries.push(input)
    const { ExpressionAttributeValues: values = {}, ExclusiveStartKey: start, Limit: limit = 1 } = input
    const within = rows
      .filter(
        ({ shard, id }) => values[':shard'] === `list-${shard}` && id >= values[':first'] && id <= values[':last'],
      )
      .sort((one, other) => other.id - one.id || hidden(one) - hidden(other))
    const from = start ? within.findIndex(({ eventId }) => eventId === start['eventId']) + 1 : 0
    const looked = within.slice(from, from + Math.max(1, Math.min(limit, cut())))
    const last = looked.at(-1)
    const isOver = from + looked.length >= within.length
    const found = input.FilterExpression ? looked.filter(({ isFailed }) => isFailed) : looked
    const items = found.map(({ id, eventId }) => ({ id, source: 's', eventId, eventType: 't', receivedAt: 0 }))
    return { Items: items, ...(last && !isOver && { LastEvaluatedKey: { id: last.id, eventId: last.eventId } }) }
  }
  return { documents: { send } as unknown as Documents, queries }
}

/** DynamoDB promises no order among equal keys of an index. */
function hidden({ eventId }: Row): number {
  return [...eventId].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 97, 7)
}

const row = fc.record({ shard: fc.nat(3), id: fc.integer({ min: 1, max: 30 }), isFailed: fc.boolean() })

function numbered(rows: readonly Omit<Row, 'eventId'>[], prefix: string): Row[] {
  return rows.map((each, index) => ({ ...each, eventId: `${prefix}${index}` }))
}

describe('the list of events', () => {
  it('repeats and skips none of the events that existed at its first page, although events arrive between pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 60 }),
        fc.array(fc.array(row, { maxLength: 5 }), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (first, arrivals, cuts, limit, isFiltered) => {
          const rows = numbered(first, 'first-')
          const wanted = rows.filter(({ isFailed }) => isFailed || !isFiltered).map(({ eventId }) => eventId)
          let turn = 0
          const { documents } = indexOf(rows, () => cuts[turn++ % cuts.length] ?? 1)
          const list = dynamoEventList(documents, 'events')
          const seen: { id: bigint; eventId: string }[] = []
          let next: Position | undefined
          do {
            const page = await list.find(isFiltered ? { status: ['FAILED'] } : {}, next, limit)
            expect(page.events.length).toBeLessThanOrEqual(limit)
            seen.push(...page.events)
            next = page.next
            rows.push(...numbered(arrivals.pop() ?? [], `later-${arrivals.length}-`))
          } while (next)
          const names = seen.map(({ eventId }) => eventId)
          expect(new Set(names).size).toBe(names.length)
          expect(names.filter((name) => name.startsWith('first-')).sort()).toEqual(wanted.sort())
          expect(seen.map(({ id }) => id)).toEqual(seen.map(({ id }) => id).sort((one, other) => Number(other - one)))
        },
      ),
    )
  })

  it('P14 sends at most 24 queries for one page, and then returns the position from which to continue', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({ shard: index % 4, id: index + 1, isFailed: index === 0 }))
    const { documents, queries } = indexOf(numbered(rows, 'e'), () => 2)
    const list = dynamoEventList(documents, 'events')
    const page = await list.find({ status: ['FAILED'] }, undefined, 50)
    expect(page.events).toEqual([])
    expect(page.next?.id).toBeGreaterThan(1n)
    expect(queries).toHaveLength(24)
  })

  it('P14 sends as few queries for a page of a rare text, and reads many rows each time', async () => {
    const rows = Array.from({ length: 9000 }, (_, index) => ({ shard: index % 4, id: index + 1, isFailed: false }))
    const { documents, queries } = indexOf(numbered(rows, 'e'), () => 1000)
    const list = dynamoEventList(documents, 'events')
    expect((await list.find({ q: 'E17' }, undefined, 1)).events).toMatchObject([{ eventId: 'e1799' }])
    expect(queries.length).toBeLessThan(24)
    expect(queries.slice(4).map(({ Limit: limit }) => limit)).toEqual(queries.slice(4).map(() => 1000))
  })

  it('sends no query for a position before all that the filter allows', async () => {
    const { documents, queries } = indexOf([], () => 1)
    const list = dynamoEventList(documents, 'events')
    const after = { id: 1n, source: '', eventId: '' }
    expect(await list.find({ from: new Date('2026-01-01') }, after, 50)).toEqual({ events: [], next: undefined })
    expect(queries).toEqual([])
  })
})
