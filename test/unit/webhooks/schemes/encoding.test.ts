import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readBase64,
  readBase64url,
  readHex,
  readInstant,
  readMilliseconds,
  readSeconds,
  readTenDigits,
} from '../../../../lib/webhooks/schemes/encoding.ts'

describe('bytes are decoded', () => {
  it.each([
    ['hex', readHex],
    ['base64', readBase64],
    ['base64url', readBase64url],
  ] as const)('from %s, from one spelling only, padded or not', (encoding, read) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.string(), (bytes, text) => {
        expect(read(Buffer.from(bytes).toString(encoding))).toEqual(Buffer.from(bytes))
        const unpadded = (one: string) => one.replace(/=+$/, '')
        expect(unpadded(read(text)?.toString(encoding) ?? text)).toBe(unpadded(text))
      }),
    )
  })
})

it.each(['YQ', 'YQ==', 'YWI', 'YWI=', 'YWJj'])('W9 base64 is taken with its padding and without: %s', (text) => {
  expect(readBase64(text)).toEqual(Buffer.from('abc'.slice(0, text.replaceAll('=', '').length - 1)))
})

describe('no bytes are decoded', () => {
  it.each(['', 'a', 'A1', 'a1 ', ' a1', 'a1\n', '0xa1', 'g0', 'a1b'])('from "%s" as hexadecimal', (text) => {
    expect(readHex(text)).toBeUndefined()
  })

  it.each(['', 'YQ=', 'YR', 'YR==', 'YQ==\n', ' YQ==', 'YQ===', 'Y-_=', 'YWI=YQ=='])('from "%s" as base64', (text) => {
    expect(readBase64(text)).toBeUndefined()
  })

  it.each(['', 'YQ==', 'YR', 'YQ\n', 'Y+/h', 'YQ.'])('from "%s" as base64url', (text) => {
    expect(readBase64url(text)).toBeUndefined()
  })
})

describe('a time', () => {
  it.each([
    ['0', 0],
    ['1760000000', 1_760_000_000_000],
    ['999999999999', 999_999_999_999_000],
  ])('in seconds is %s', (text, time) => {
    expect(readSeconds(text)).toBe(time)
  })

  it.each(['', '-1', '1.0', '1e9', ' 1', '1\n', '+1', '0x1', '1'.repeat(13), '١'])(
    'in seconds is never "%s"',
    (text) => {
      expect(readSeconds(text)).toBeUndefined()
    },
  )

  it.each([
    ['1760000000', 1_760_000_000_000],
    ['176000000', undefined],
    ['17600000000', undefined],
    ['', undefined],
  ])('of ten digits: "%s"', (text, time) => {
    expect(readTenDigits(text)).toBe(time)
  })

  it.each([
    ['1760000000000', 1_760_000_000_000],
    ['1'.repeat(16), undefined],
    ['', undefined],
  ])('in milliseconds: "%s"', (text, time) => {
    expect(readMilliseconds(text)).toBe(time)
  })

  it.each([
    ['2025-10-09T08:53:20Z', 1_760_000_000_000],
    ['2025-10-09T08:53:20.5Z', 1_760_000_000_500],
    ['2025-10-09T08:53:20.123456789Z', 1_760_000_000_123],
    ['+002025-10-09T08:53:20Z', undefined],
    ['2025-10-09T08:53:20', undefined],
    ['2025-10-09T08:53:20+02:00', undefined],
    ['2025-13-09T08:53:20Z', undefined],
    ['', undefined],
  ])('as a UTC date-time of RFC 3339: "%s"', (text, time) => {
    expect(readInstant(text)).toBe(time)
  })
})
