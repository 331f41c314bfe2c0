import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { verify } from '../../../../lib/webhooks/verify.ts'
import { signedCall } from '../../../support/signed-call.ts'

const SECRET = 'a secret of Twitch'
const NOW = new Date('2026-01-02T03:04:05Z')

const signatureOf = (text: string) => `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`

function verdictOf(id: string, time: string, body: string, signature = signatureOf(id + time + body)) {
  const headers = {
    'twitch-eventsub-message-id': id,
    'twitch-eventsub-message-timestamp': time,
    'twitch-eventsub-message-signature': signature,
  }
  const { scheme } = PROVIDERS.twitch
  const verdict = verify(signedCall(headers, body), { scheme, secrets: [{ value: SECRET }], now: NOW })
  return verdict.ok ? 'ok' : verdict.reason
}

describe('Twitch', () => {
  it.each([
    ['seconds', '2026-01-02T03:04:05Z', 'ok'],
    ['nanoseconds', '2026-01-02T03:04:05.171067130Z', 'ok'],
    ['more than ten minutes', '2026-01-02T02:54:04Z', 'too-old'],
    ['more than ten minutes in the future', '2026-01-02T03:14:06Z', 'in-the-future'],
    ['seconds since the epoch', '1767323045', 'no-readable-signature'],
  ])('signs a time: %s', (_, time, verdict) => {
    expect(verdictOf('id', time, '{}')).toBe(verdict)
  })

  it('uses ids in any form that contains no time', () => {
    for (const id of ['e76c6bd4-55c9-4987-8304-da1588d8988b', 'Ia4KEnqT_W7sUHKl=', '7', 'h:0', '2026-01-02T'])
      expect(verdictOf(id, '2026-01-02T03:04:05Z', '{}')).toBe('ok')
    for (const id of ['', '2026-01-02T03:04:05Z', 'a2026-01-02T03:04:05.1Zb'])
      expect(verdictOf(id, '2026-01-02T03:04:05Z', '{}')).toBe('no-readable-signature')
  })

  it('W22 signs one text, which has only one division into id, time and body', () => {
    const times = fc.constantFrom('2026-01-02T03:04:05Z', '2026-01-02T03:04:05.5Z', '2026-01-02T03:04:05.171067130Z')
    const pieces = fc.array(fc.oneof(times, fc.constantFrom('{', '"', ':', '-', 'T', 'Z', '.', '2026', '0', 'a')), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(pieces, times, pieces, (before, own, after) => {
        const text = [...before, own, ...after].join('')
        const signature = signatureOf(text)
        const cuts = Array.from({ length: text.length }, (_, start) => start).flatMap((start) =>
          Array.from({ length: 14 }, (_, more) => [start, start + 18 + more] as const),
        )
        const accepted = cuts.filter(
          ([start, end]) =>
            end <= text.length &&
            verdictOf(text.slice(0, start), text.slice(start, end), text.slice(end), signature) === 'ok',
        )
        expect(accepted.length).toBeLessThanOrEqual(1)
      }),
    )
  })
})
