import { describe, expect, it } from 'vitest'
import { stripe } from '../../../../lib/webhooks/schemes/stripe.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const HEX = 'a1'.repeat(32)
const OTHER = 'b2'.repeat(32)

describe('the Stripe-Signature header', () => {
  const read = (header: string | undefined) => readingOf(stripe, signedCall({ 'stripe-signature': header }, '{}'))

  it.each([
    ['one signature', `t=1,v1=${HEX}`, [HEX]],
    ['the signature first', `v1=${HEX},t=1`, [HEX]],
    ['two signatures', `t=1,v1=${HEX},v1=${OTHER}`, [HEX, OTHER]],
    ['elements of other schemes', `t=1,v0=x,v1=${HEX},v2=`, [HEX]],
    ['a signature of another form beside a good one', `t=1,v1=x,v1=${HEX}`, [HEX]],
  ])('holds a timestamp and signatures: %s', (_, header, signatures) => {
    expect(read(header)).toEqual({ signatures, signedAt: 1000, signed: '1.{}' })
  })

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['no t', `v1=${HEX}`],
    ['no v1', 't=1'],
    ['only v0', `t=1,v0=${HEX}`],
    ['two t', `t=1,t=2,v1=${HEX}`],
    ['an empty t', `t=,v1=${HEX}`],
    ['a t that is no number', `t=NaN,v1=${HEX}`],
    ['a negative t', `t=-1,v1=${HEX}`],
    ['a t in floating notation', `t=1e9,v1=${HEX}`],
    ['a decimal t', `t=1.0,v1=${HEX}`],
    ['a t of 13 digits', `t=${'1'.repeat(13)},v1=${HEX}`],
    ['a blank behind the comma', `t=1, v1=${HEX}`],
    ['an element without a value', `t=1,v1=${HEX},x`],
    ['a comma at the end', `t=1,v1=${HEX},`],
    ['upper-case hexadecimal', `t=1,v1=${HEX.toUpperCase()}`],
    ['63 digits', `t=1,v1=${HEX.slice(1)}`],
    ['65 digits', `t=1,v1=${HEX}a`],
    ['a newline behind it', `t=1,v1=${HEX}\n`],
    ['semicolons', `t=1;v1=${HEX}`],
  ])('is not readable with %s', (_, header) => {
    expect(read(header)).toBeUndefined()
  })
})
