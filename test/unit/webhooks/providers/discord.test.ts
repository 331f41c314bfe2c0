import { expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/discord.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

it.each([
  ['1760000000', '1760000000{}'],
  ['17600000001', undefined],
  ['176000000', undefined],
  ['', undefined],
])('the time has ten digits, because nothing separates it from the body: "%s"', (time, signed) => {
  expect(
    readingOf(provider.scheme, signedCall({ 'x-signature-ed25519': 'a1', 'x-signature-timestamp': time }, '{}'))
      ?.signed,
  ).toBe(signed)
})
