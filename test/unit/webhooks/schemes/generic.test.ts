import { describe, expect, it } from 'vitest'
import { generic } from '../../../../lib/webhooks/providers/generic.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const HEX = 'a1'.repeat(32)

describe('the X-Signature header', () => {
  it.each([
    ['nothing', {}],
    ['an upper-case prefix', { 'x-signature': `SHA256=${HEX}` }],
    ['a prefix in the middle', { 'x-signature': `${HEX}sha256=${HEX}` }],
    ['two signatures', { 'x-signature': `${HEX},${HEX}` }],
    ['an empty timestamp', { 'x-signature': HEX, 'x-timestamp': '' }],
  ])('is not readable with %s', (_, headers) => {
    expect(readingOf(generic, signedCall(headers))).toBeUndefined()
  })

  it.each(['1760000000.{}', '1.[1]', '1.a=b', '1.<x/>', '1.text', '1.5', '1.', `${'9'.repeat(13)}.{}`])(
    'W17, S8 without a timestamp is not readable before a body that begins as a signed time and a body: %s',
    (body) => {
      expect(readingOf(generic, signedCall({ 'x-signature': HEX }, body))).toBeUndefined()
      expect(readingOf(generic, signedCall({ 'x-signature': HEX, 'x-timestamp': '1' }, body))).toBeDefined()
    },
  )

  it.each(['1760000000', '{"a":1.5}', ' 1.5', '-1.5', 'a=1.5'])(
    'without a timestamp is readable before any other body: %s',
    (body) => {
      expect(readingOf(generic, signedCall({ 'x-signature': HEX }, body))?.signed).toBe(body)
    },
  )
})
