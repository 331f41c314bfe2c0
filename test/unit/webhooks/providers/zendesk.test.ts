import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/zendesk.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

describe('Zendesk', () => {
  const TIME = 'x-zendesk-webhook-signature-timestamp'
  const read = (time: string) =>
    readingOf(provider.scheme, signedCall({ 'x-zendesk-webhook-signature': 'AAAA', [TIME]: time }, '{}'))

  it('signs the time, then the body', () => {
    expect(read('2025-10-09T08:53:20Z')).toEqual({
      signatures: ['000000'],
      signedAt: 1_760_000_000_000,
      signed: '2025-10-09T08:53:20Z{}',
    })
  })

  it.each(['', '1760000000', '2025-10-09T08:53:20'])('signs no time in another form: "%s"', (time) => {
    expect(read(time)).toBeUndefined()
  })
})
