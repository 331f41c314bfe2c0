import { expect, it } from 'vitest'
import { CONDITIONS, conditionsOf } from '../../../../lib/adapters/dynamodb/event-list.ts'

it.each([
  ['nothing', {}, undefined],
  ['an absent source', { source: undefined }, undefined],
  ['a source', { source: 'a' }, '#source IN (:source)'],
  [
    'two sources and a time',
    { source: ['a', 'b'], to: new Date(5) },
    '#source IN (:source0, :source1) AND receivedAt <= :to',
  ],
  // DynamoDB refuses it: a key without sources must not read those of all.
  ['no source at all', { source: [] }, '#source IN ()'],
])('a filter by %s keeps every condition that was given', (_, filter, expected) => {
  expect(conditionsOf(filter, CONDITIONS).expression).toEqual(
    expected === undefined ? {} : { FilterExpression: expected },
  )
})
