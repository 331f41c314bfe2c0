import { describe, expect, it } from 'vitest'
import { provenParts, signingHeaders } from '../../../../web/events/proof.ts'

it.each([
  ['stripe', ['stripe-signature']],
  ['gitlab', ['webhook-signature', 'x-gitlab-token']],
  ['twilio', ['x-twilio-signature']],
  ['adyen', []],
  ['stripe-eu', []],
])('the headers of a signature are those of %s', (source, headers) => {
  expect(signingHeaders(source)).toEqual(headers)
})

describe('the proven parts of an event', () => {
  const SIGNED_AT = '2026-01-02T03:04:05.000Z'

  it.each([
    ['stripe', 'full', SIGNED_AT, ['Sender', 'Body', 'Event id', 'Time']],
    ['github', 'body', null, ['Sender', 'Body']],
    ['square', 'body', null, ['Sender', 'Body', 'Address']],
    ['adyen', 'fields', null, ['Sender']],
    ['paypal', 'checksum', SIGNED_AT, ['Sender', 'Time']],
    ['square', 'none', null, []],
  ] as const)('of %s with the level %s', (source, level, signedAt, parts) => {
    expect(provenParts({ source, proof: { level, typeSigned: true, idSigned: true, key: null, signedAt } })).toEqual(
      parts,
    )
  })
})
