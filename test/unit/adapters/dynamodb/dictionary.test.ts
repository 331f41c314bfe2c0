import { createHash, randomBytes } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DICTIONARY, deflated, inflated } from '../../../../lib/adapters/dynamodb/dictionary.ts'
import { githubEvent, stripeEvent } from '../../../support/sent-events.ts'

it('has the bytes with which the first row was stored', () => {
  expect(createHash('sha256').update(DICTIONARY).digest('hex')).toBe(
    '7ecb884c9342f8b301ac7cc6f179f6521deca92e874384ec345d411b7ac7924a',
  )
})

describe('a body that is compressed with it', () => {
  it('is restored byte by byte, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(inflated(deflated(bytes)).equals(Buffer.from(bytes))).toBe(true)
      }),
    )
  })

  it.each([
    ['a payment of Stripe', stripeEvent(3072), 800],
    ['an event of GitHub', githubEvent(3072), 750],
  ])('leaves space in an item of 1 KB: %s of 3 KB', (_, text, most) => {
    expect(deflated(Buffer.from(text)).length).toBeLessThan(most)
  })

  it('grows by a few bytes if it is incompressible', () => {
    expect(deflated(randomBytes(1000)).length).toBeLessThan(1020)
  })

  it('causes an error without the dictionary, never wrong bytes', () => {
    expect(() => inflateRawSync(deflated(Buffer.from(stripeEvent(2500))))).toThrow('invalid distance too far back')
  })
})
