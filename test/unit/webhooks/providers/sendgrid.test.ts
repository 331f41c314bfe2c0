import { expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/sendgrid.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const HEADER = 'x-twilio-email-event-webhook'

it.each([
  ['1760000000', '1760000000{}'],
  ['17600000001', undefined],
  ['176000000', undefined],
  ['', undefined],
])('the time has ten digits, because nothing separates it from the body: "%s"', (time, signed) => {
  expect(
    readingOf(provider.scheme, signedCall({ [`${HEADER}-signature`]: 'AAAA', [`${HEADER}-timestamp`]: time }, '{}'))
      ?.signed,
  ).toBe(signed)
})
