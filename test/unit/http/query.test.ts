import { describe, expect, it } from 'vitest'
import { eventQuery } from '../../../lib/contract/requests/events.ts'
import { ServiceError } from '../../../lib/errors.ts'
import { readInput } from '../../../lib/http/middleware/validate.ts'
import { query } from '../../../lib/http/query.ts'
import { httpEvent } from '../../support/fakes/http.ts'

const read = (rawQueryString: string) => readInput(query(eventQuery), httpEvent({ rawQueryString }))

function refusal(rawQueryString: string): unknown {
  try {
    return read(rawQueryString)
  } catch (error) {
    return error instanceof ServiceError && error.details
  }
}

describe('P04 the query of a list', () => {
  it.each([
    ['nothing', '', { limit: 50 }],
    ['empty parameters', 'status=&source=&type=&from=&to=&q=&dead=&limit=&cursor=', { limit: 50 }],
    [
      'several of each',
      'status=RETRY&source=a&type=c&source=b,c&status=FAILED&type=&source=',
      {
        limit: 50,
        status: ['RETRY', 'FAILED'],
        source: ['a', 'b,c'],
        type: ['c'],
      },
    ],
    [
      'fifty sources',
      Array.from({ length: 50 }, () => 'source=s').join('&'),
      { limit: 50, source: Array(50).fill('s') },
    ],
    ['a part of a text', 'q=a%20b+c%2Bd,e', { limit: 50, q: 'a b c+d,e' }],
    ['dead ones', 'dead=true', { limit: 50, dead: true }],
    ['a limit', 'limit=200&cursor=abc', { limit: 200, cursor: 'abc' }],
    ['times as emitted', 'from=2026-01-02T03:04:05.678', { limit: 50, from: new Date('2026-01-02T03:04:05.678Z') }],
    ['times with Z', 'to=2026-01-02T03%3A04Z', { limit: 50, to: new Date('2026-01-02T03:04:00Z') }],
  ])('takes %s', (_, raw, expected) => {
    expect(read(raw)).toEqual(expected)
  })

  const STATUS = 'must be one of RECEIVED, PROCESSING, PROCESSED, FAILED, RETRY'
  const TEXT = 'must be 1 to 256 characters without control characters'
  const TIME = 'must be a date-time, YYYY-MM-DDTHH:mm:ss.SSS, with or without Z'

  it.each([
    ['an unknown status', 'status=DEAD', 'status', STATUS, 'DEAD'],
    ['a source with a control character', 'source=%00', 'source', TEXT, '\0'],
    ['a long type', `type=${'a'.repeat(257)}`, 'type', TEXT, 'a'.repeat(257)],
    ['another time zone', 'from=2026-01-02T03:04:05%2B02:00', 'from', TIME, '2026-01-02T03:04:05+02:00'],
    ['a day that is in no calendar', 'to=2026-02-30T00:00:00', 'to', TIME, '2026-02-30T00:00:00'],
    [
      'to before from',
      'from=2026-02-03T00:00&to=2026-02-02T00:00',
      'to',
      'must not be before from',
      '2026-02-02T00:00',
    ],
    ['dead as a number', 'dead=1', 'dead', 'must be one of true, false', '1'],
    ['a limit of 201', 'limit=201', 'limit', 'must be at most 200', '201'],
    ['a long cursor', `cursor=${'a'.repeat(4097)}`, 'cursor', 'must be at most 4096 characters', 'a'.repeat(4097)],
    ['an unknown name', 'stauts=FAILED', 'stauts', 'is not known', 'FAILED'],
    ['an unknown empty name', 'x=', 'x', 'is not known', ''],
    ['__proto__', '__proto__=1', '__proto__', 'is not known', '1'],
    ['a known status and an unknown one', 'status=FAILED&status=DEAD', 'status', STATUS, 'FAILED,DEAD'],
    ['a parameter twice', 'q=a&q=a', 'q', 'must be given once', null],
    [
      'fifty-one types',
      Array.from({ length: 51 }, () => 'type=t').join('&'),
      'type',
      'must be given at most 50 times',
      Array(51).fill('t').join(),
    ],
    ['bytes that are not UTF-8', 'q=%ff', 'query', 'must be percent-encoded UTF-8', null],
    ['the replacement characters of a gateway', 'q=%EF%BF%BD', 'query', 'must be percent-encoded UTF-8', null],
  ])('refuses %s', (_, raw, field, message, rejectedValue) => {
    expect(refusal(raw)).toEqual({ validationErrors: [{ field, message, rejectedValue }] })
  })

  it('names every wrong parameter', () => {
    expect(refusal('status=x&limit=x&what=x')).toMatchObject({
      validationErrors: [{ field: 'status' }, { field: 'limit' }, { field: 'what' }],
    })
  })
})
