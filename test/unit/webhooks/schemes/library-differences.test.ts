import { describe, expect, it } from 'vitest'
import published from '../../../vectors/webhook-signatures.json' with { type: 'json' }

/** Where a provider's library accepts what is refused here. */
const STRICTER: Readonly<Record<string, string>> = {
  'calendly/future': 'a time in the future lets a call be kept for later',
  'google-pubsub/another-email': 'the token of another account',
  'google-pubsub/unverified-email': 'an e-mail that Google did not verify is not the account',
  'hubspot-v3/future': 'a time in the future lets a call be kept for later',
  'sns/another-topic': 'one certificate signs for every topic of a region',
  'sns/future': 'a time in the future lets a call be kept for later',
  'sns/moved-borders': 'lines of a message are no other fields',
  'sns/stale': 'SNS retries for an hour',
  'stripe/future': 'a time in the future lets a call be kept for later',
  'stripe/t-decimal': 'a time has one spelling',
  'twitch/border-of-the-time': 'what was signed as a time is no part of an id',
  'twitch/future': 'a time in the future lets a call be kept for later',
}

/** Where a provider's library refuses what is accepted here. */
const EXACTER: Readonly<Record<string, string>> = {
  'github/non-utf8-body': 'the bytes are signed, not the text that they decode to',
  'sns/valid-unsubscribe': 'the token is signed, as the developer guide says and sns-payload-validator has it',
  'stripe/bom': 'a byte order mark is signed with the rest',
  'stripe/non-utf8-body': 'the bytes are signed, not the text that they decode to',
}

const judged = published.vectors.filter(({ libraryVerdict }) => libraryVerdict !== null)
const ids = (list: typeof published.vectors) => list.map(({ id }) => id).sort()

describe("the provider's own library verified the vectors", () => {
  it('and accepted calls that are refused here, for known reasons', () => {
    const laxer = judged.filter(({ libraryVerdict, expected }) => libraryVerdict && expected === 'invalid')
    expect(ids(laxer)).toEqual(Object.keys(STRICTER))
  })

  it('and refused calls that are accepted here, for known reasons', () => {
    const others = judged.filter(({ libraryVerdict, expected }) => !libraryVerdict && expected === 'valid')
    expect(ids(others)).toEqual(Object.keys(EXACTER))
  })
})
