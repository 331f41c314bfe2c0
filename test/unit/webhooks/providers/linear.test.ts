import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/linear.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

describe('Linear', () => {
  const read = (body: string) => readingOf(provider.scheme, signedCall({ 'linear-signature': 'a1' }, body))

  it('signs the body, which contains the time in milliseconds', () => {
    expect(read('{"webhookTimestamp":1760000000000}')?.signedAt).toBe(1_760_000_000_000)
  })

  it.each([
    '{}',
    '[]',
    '{"webhookTimestamp":"now"}',
    '{"webhookTimestamp":1.5}',
    '{"webhookTimestamp":null}',
    'no JSON',
  ])('proves nothing without that time: %s', (body) => {
    expect(read(body)).toBeUndefined()
  })
})
