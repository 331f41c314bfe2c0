import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  comparableDateTime,
  earlierOf,
  fromLocalDateTime,
  isLocalDate,
  steadyClock,
  systemClock,
  toLocalDateTime,
} from '../../../lib/runtime/time.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('the system clock returns the time of the system', () => {
  vi.useFakeTimers({ now: START })
  expect(systemClock.now()).toEqual(START)
})

it('the steady clock continues when the system clock is set to another time', () => {
  const before = steadyClock.now().getTime()
  vi.useFakeTimers({ now: START, toFake: ['Date'] })
  const passed = steadyClock.now().getTime() - before
  expect(passed).toBeGreaterThanOrEqual(0)
  expect(passed).toBeLessThan(60_000)
})

it('the earlier of two clocks is late, whichever is ahead', () => {
  const [one, other] = [fixedClock(), fixedClock()]
  const earlier = earlierOf(one, other)
  one.advance(3_600_000)
  expect(earlier.now()).toEqual(START)
  other.advance(1000)
  expect(earlier.now()).toEqual(other.now())
  one.advance(-2 * 3_600_000)
  expect(earlier.now()).toEqual(one.now())
})

describe('a local date-time', () => {
  it('is emitted as UTC without a zone, with milliseconds', () => {
    expect(toLocalDateTime(new Date('2025-01-31T23:05:06.007Z'))).toBe('2025-01-31T23:05:06.007')
  })

  it.each([
    ['2025-01-31T23:05', '2025-01-31T23:05:00.000Z'],
    ['2025-01-31T23:05:06.7', '2025-01-31T23:05:06.700Z'],
    ['2025-01-31T23:05:06.789999999', '2025-01-31T23:05:06.789Z'],
    ['2025-01-31T23:05:06Z', '2025-01-31T23:05:06.000Z'],
    ['2024-02-29T00:00:00', '2024-02-29T00:00:00.000Z'],
  ])('is accepted as %s', (text, iso) => {
    expect(fromLocalDateTime(text)?.toISOString()).toBe(iso)
  })

  it.each([
    '2025-01-31T23:05:06+01:00',
    '2025-01-31T23:05:06z',
    '2025-01-31',
    '2025-01-31T23:05:06.0123456789',
    '2025-01-31T23:05.5',
    '2025-02-30T00:00:00',
    '2025-13-01T00:00:00',
    '2025-01-31T24:00:00',
    '2025-01-31T23:05:60',
    '+002025-01-31T23:05:06',
    '2025-01-31T23:05:06\n',
    ' 2025-01-31T23:05:06',
    '٢٠٢٥-01-31T23:05:06',
    '',
  ])('is not accepted as %j', (text) => {
    expect(fromLocalDateTime(text)).toBeUndefined()
  })

  it('is parsed as it was emitted', () => {
    const date = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(date, (instant) => {
        expect(fromLocalDateTime(toLocalDateTime(instant))).toEqual(instant)
      }),
    )
  })

  it('is, for any text, a date or undefined', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(fromLocalDateTime(text)?.getTime()).not.toBeNaN()
      }),
    )
  })
})

describe('a comparable local date-time', () => {
  it.each([
    ['2025-01-31T23:05', '2025-01-31T23:05:00.000000000'],
    ['2025-01-31T23:05:06.7', '2025-01-31T23:05:06.700000000'],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00.000000000'],
  ])('%s is %s', (text, comparable) => {
    expect(comparableDateTime(text)).toBe(comparable)
  })

  it.each(['', '2025-02-30T00:00:00', '2025-01-31T23:05:06+01:00'])('does not exist for an invalid one: %j', (text) => {
    expect(comparableDateTime(text)).toBeUndefined()
  })
})

describe('a local date', () => {
  it.each(['2024-02-29', '0000-01-01'])('is %s', (text) => {
    expect(isLocalDate(text)).toBe(true)
  })

  it.each(['2025-02-29', '2025-13-01', '2025-1-31', '2025-01-31T00:00', '2025-01-31\n', ''])('is not %j', (text) => {
    expect(isLocalDate(text)).toBe(false)
  })
})
