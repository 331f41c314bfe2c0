import { expect, it } from 'vitest'
import { eventLook } from '../../../../web/events/outcome.ts'
import { attemptsText, summaryOf, tookText } from '../../../../web/events/summary.ts'
import { record } from './records.ts'

it.each([
  ['nothing', {}, ''],
  ['its error', { errorMessage: 'it is closed' }, 'it is closed'],
  ['a batch', { itemCount: 0 }, 'batch of 0'],
  [
    'an unusual fact about it',
    { possibleDuplicateOf: 'evt_1', idConflict: { count: 2, lastAt: '2026-01-02T03:04:05.000' } },
    '2 × other content under this id · possible duplicate of evt_1',
  ],
])('a line about an event contains %s', (_, changes, expected) => {
  expect(summaryOf(record(changes))).toBe(expected)
})

it.each([
  [null, '–'],
  ['2026-01-02T03:04:05.012', '12 ms'],
  ['2026-01-02T03:04:06.400', '1.4 s'],
  ['2026-01-02T03:04:04.000', '0 ms'],
])('an event of 03:04:05 that was processed at %s took %s', (processedAt, expected) => {
  expect(tookText(record({ processedAt }))).toBe(expected)
})

it('attempts include the first run, which a received event has not had', () => {
  expect([record({ attempts: 0 }), record({ attempts: 3 }), record({ status: 'RECEIVED' })].map(attemptsText)).toEqual([
    '1',
    '4',
    '–',
  ])
})

it.each([
  ['one that failed permanently', { status: 'FAILED' }, 'Failed'],
  ['one that waits for a retry', { status: 'FAILED', nextRetryAt: '2026-01-02T03:19:05.000' }, 'Retrying'],
  ['one that was late', { status: 'PROCESSED', outcome: 'superseded' }, 'Superseded'],
] as const)('the icon of an event is that of %s', (_, changes, label) => {
  expect(eventLook(record(changes)).label).toBe(label)
})
