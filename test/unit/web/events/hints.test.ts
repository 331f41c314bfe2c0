import { describe, expect, it } from 'vitest'
import { meaningOf } from '../../../../web/events/hints.ts'
import { jsonLines } from '../../../../web/ui/json-lines.ts'
import { fullTime } from '../../../../web/ui/times.tsx'

/** The hint beside the first member. */
function hint(text: string, source = 'stripe'): string | undefined {
  const lines = jsonLines(text)
  return lines && meaningOf(lines, 1, source)
}

const TIME = fullTime(new Date('2026-11-22T08:12:03Z')).replace('.000', '')

describe('a hint beside a value', () => {
  it.each([
    '{"created":1795335123}',
    '{"created":"1795335123"}',
    '{"created_at":1795335123000}',
    '{"any":"2026-11-22T08:12:03Z"}',
    '{"any":"2026-11-22T09:12:03.000+01:00"}',
  ])('reads %s as a time in the zone of the viewer', (text) => {
    expect(hint(text)).toBe(TIME)
  })

  it.each([
    '{"amount":1795335123}',
    '{"created":9999999999}',
    '{"created":1795335123.5}',
    '{"any":"2026-11-22T08:12:03"}',
    '{"any":"2026-11-22T99:12:03Z"}',
  ])('is missing in %s, which is ambiguous', (text) => {
    expect(hint(text)).toBeUndefined()
  })

  it.each([
    ['{"amount":4990,"currency":"eur"}', 'stripe', '49.90 EUR'],
    ['{"amount":-5,"currency":"EUR"}', 'stripe', '-0.05 EUR'],
    ['{"amount":4990,"currency":"jpy"}', 'stripe', '4990 JPY'],
    ['{"amount":12345678901234567890,"currency":"eur"}', 'stripe', '123456789012345678.90 EUR'],
  ])('reads %s of %s as money', (text, source, money) => {
    expect(hint(text, source)).toBe(money)
  })

  it.each([
    ['{"amount":4990,"currency":"eur"}', 'payment'],
    ['{"amount":4990}', 'stripe'],
    ['{"amount":49.9,"currency":"eur"}', 'stripe'],
    ['{"amount":4990,"currency":"points"}', 'stripe'],
    ['{"id":4990,"currency":"eur"}', 'stripe'],
  ])('is missing in %s of %s, which may not be minor units', (text, source) => {
    expect(hint(text, source)).toBeUndefined()
  })
})
