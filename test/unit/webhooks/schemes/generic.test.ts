import { describe, expect, it } from 'vitest'
import { generic } from '../../../../lib/webhooks/schemes/generic.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const HEX = 'a1'.repeat(32)

describe('the X-Signature header', () => {
  it.each([HEX, `sha256=${HEX}`])('contains lowercase hexadecimal, with or without sha256=: %s', (header) => {
    const reading = readingOf(generic, signedCall({ 'x-signature': header }, '{}'))
    expect(reading).toEqual({ signatures: [HEX], signedAt: undefined, signed: '{}' })
  })

  it('is accepted with an X-Timestamp in seconds', () => {
    const headers = { 'x-signature': HEX, 'x-timestamp': '1760000000' }
    const reading = readingOf(generic, signedCall(headers, '{}'))
    expect(reading).toEqual({ signatures: [HEX], signedAt: 1_760_000_000_000, signed: '1760000000.{}' })
  })

  it.each([
    ['nothing', {}],
    ['an empty text', { 'x-signature': '' }],
    ['a prefix without a signature', { 'x-signature': 'sha256=' }],
    ['an upper-case prefix', { 'x-signature': `SHA256=${HEX}` }],
    ['another prefix', { 'x-signature': `sha1=${HEX}` }],
    ['a prefix in the middle', { 'x-signature': `${HEX}sha256=${HEX}` }],
    ['two prefixes', { 'x-signature': `sha256=sha256=${HEX}` }],
    ['upper-case hexadecimal', { 'x-signature': HEX.toUpperCase() }],
    ['two signatures', { 'x-signature': `${HEX},${HEX}` }],
    ['Base64', { 'x-signature': 'obKhsqGy' }],
    ['an empty timestamp', { 'x-signature': HEX, 'x-timestamp': '' }],
    ['a timestamp in words', { 'x-signature': HEX, 'x-timestamp': 'now' }],
    ['a negative timestamp', { 'x-signature': HEX, 'x-timestamp': '-1' }],
    ['a decimal timestamp', { 'x-signature': HEX, 'x-timestamp': '1.5' }],
  ])('is not readable with %s', (_, headers) => {
    expect(readingOf(generic, signedCall(headers))).toBeUndefined()
  })

  it.each(['1760000000.{}', '1.[1]', `${'9'.repeat(12)}. \n{`])(
    'W17 without a timestamp is not readable before a body of a signed time and a body: %s',
    (body) => {
      expect(readingOf(generic, signedCall({ 'x-signature': HEX }, body))).toBeUndefined()
      expect(readingOf(generic, signedCall({ 'x-signature': HEX, 'x-timestamp': '1' }, body))).toBeDefined()
    },
  )

  it.each(['1760000000', '1.5', '1.', '1.5 {}', '{"a":1.5}', `${'9'.repeat(13)}.{}`])(
    'without a timestamp is readable before any other body: %s',
    (body) => {
      expect(readingOf(generic, signedCall({ 'x-signature': HEX }, body))?.signed).toBe(body)
    },
  )
})
