import { describe, expect, it } from 'vitest'
import { SCHEMES } from '../../../lib/webhooks/schemes.ts'

const HEX = 'a1'.repeat(32)
const OTHER = 'b2'.repeat(32)

describe('the Stripe-Signature header', () => {
  const read = (header: string | undefined) => SCHEMES.stripe.read({ 'stripe-signature': header })

  it.each([
    ['one signature', `t=1,v1=${HEX}`, ['1', [HEX]]],
    ['the signature first', `v1=${HEX},t=1`, ['1', [HEX]]],
    ['two signatures', `t=1,v1=${HEX},v1=${OTHER}`, ['1', [HEX, OTHER]]],
    ['elements of other schemes', `t=1,v0=x,v1=${HEX},v2=`, ['1', [HEX]]],
    ['a signature of another form beside a good one', `t=1,v1=x,v1=${HEX}`, ['1', [HEX]]],
  ])('holds a timestamp and signatures: %s', (_, header, [timestamp, signatures]) => {
    expect(read(header)).toEqual({ timestamp, signatures })
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

describe('the X-Hub-Signature-256 header', () => {
  it('holds lowercase hexadecimal after sha256=', () => {
    expect(SCHEMES.github.read({ 'x-hub-signature-256': `sha256=${HEX}` })).toEqual({ signatures: [HEX] })
  })

  it.each([
    ['nothing', {}],
    ['the legacy header alone', { 'x-hub-signature': `sha1=${HEX.slice(0, 40)}` }],
    ['the legacy header with SHA-256', { 'x-hub-signature': `sha256=${HEX}` }],
    ['an empty text', { 'x-hub-signature-256': '' }],
    ['a prefix alone', { 'x-hub-signature-256': 'sha256=' }],
    ['no prefix', { 'x-hub-signature-256': HEX }],
    ['an upper-case prefix', { 'x-hub-signature-256': `SHA256=${HEX}` }],
    ['the prefix of SHA-1', { 'x-hub-signature-256': `sha1=${HEX}` }],
    ['upper-case hexadecimal', { 'x-hub-signature-256': `sha256=${HEX.toUpperCase()}` }],
    ['63 digits', { 'x-hub-signature-256': `sha256=${HEX.slice(1)}` }],
    ['65 digits', { 'x-hub-signature-256': `sha256=${HEX}a` }],
    ['two signatures', { 'x-hub-signature-256': `sha256=${HEX},sha256=${HEX}` }],
    ['a blank before it', { 'x-hub-signature-256': ` sha256=${HEX}` }],
    ['a newline behind it', { 'x-hub-signature-256': `sha256=${HEX}\n` }],
  ])('is not readable with %s', (_, headers) => {
    expect(SCHEMES.github.read(headers)).toBeUndefined()
  })
})

describe('the X-Signature header', () => {
  it.each([HEX, `sha256=${HEX}`])('holds lowercase hexadecimal, with or without sha256=: %s', (header) => {
    expect(SCHEMES.generic.read({ 'x-signature': header })).toEqual({ signatures: [HEX], timestamp: undefined })
  })

  it('stands beside an X-Timestamp in seconds', () => {
    const headers = { 'x-signature': HEX, 'x-timestamp': '1760000000' }
    expect(SCHEMES.generic.read(headers)).toEqual({ signatures: [HEX], timestamp: '1760000000' })
  })

  it.each([
    ['nothing', {}],
    ['an empty text', { 'x-signature': '' }],
    ['a prefix alone', { 'x-signature': 'sha256=' }],
    ['an upper-case prefix', { 'x-signature': `SHA256=${HEX}` }],
    ['another prefix', { 'x-signature': `sha1=${HEX}` }],
    ['two prefixes', { 'x-signature': `sha256=sha256=${HEX}` }],
    ['upper-case hexadecimal', { 'x-signature': HEX.toUpperCase() }],
    ['two signatures', { 'x-signature': `${HEX},${HEX}` }],
    ['Base64', { 'x-signature': 'obKhsqGy' }],
    ['an empty timestamp', { 'x-signature': HEX, 'x-timestamp': '' }],
    ['a timestamp in words', { 'x-signature': HEX, 'x-timestamp': 'now' }],
    ['a negative timestamp', { 'x-signature': HEX, 'x-timestamp': '-1' }],
    ['a decimal timestamp', { 'x-signature': HEX, 'x-timestamp': '1.5' }],
  ])('is not readable with %s', (_, headers) => {
    expect(SCHEMES.generic.read(headers)).toBeUndefined()
  })
})

describe('a refusal', () => {
  it('of Stripe is 400 Invalid signature, for signature and timestamp alike', () => {
    expect(SCHEMES.stripe.refusals).toEqual({ signature: 'SIGNATURE_REJECTED', timestamp: 'SIGNATURE_REJECTED' })
  })

  it('of GitHub is 401 Invalid signature', () => {
    expect(SCHEMES.github.refusals.signature).toBe('SIGNATURE_INVALID')
  })

  it('of the generic scheme is 401 for the signature and 400 for the timestamp', () => {
    expect(SCHEMES.generic.refusals).toEqual({ signature: 'SIGNATURE_INVALID', timestamp: 'TIMESTAMP_OUTSIDE_WINDOW' })
  })
})
