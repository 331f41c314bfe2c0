import { describe, expect, it } from 'vitest'
import { PROFILES } from '../../../../lib/auth/profile.ts'
import { TOKEN_STATUSES } from '../../../../lib/contract/token-status.ts'
import { fail } from '../../../../lib/errors.ts'
import { BREAKS, dueRefusal, isRefusedSo } from '../../../../web/playground/breaks.ts'

const BEARER = BREAKS.filter(({ from }) => from !== 'session')

describe('what has to be refused', () => {
  it('is a table of different faults', () => {
    expect(new Set(BREAKS.map(({ label }) => label)).size).toBe(BREAKS.length)
    const shown = new Set(BREAKS.map(({ refusal }) => refusal.tokenStatus))
    const neverSigned = ['INVALID_CLAIMS', 'NOT_YET_VALID', 'REVOKED']
    for (const status of TOKEN_STATUSES) expect(shown.has(status), status).toBe(!neverSigned.includes(status))
  })

  it.each(BEARER)('$label sends a token and no cookie', ({ call }) => {
    const { withSession, headers } = call('a.b.c')
    expect([withSession, headers['authorization']?.startsWith('Bearer ')]).toEqual([false, true])
  })

  it('the texts are those of the catalogue', () => {
    const texts = [
      fail('TOKEN_INVALID', { tokenError: '', tokenStatus: '' }),
      fail('TOKEN_EXPIRED', { tokenError: '', tokenStatus: 'EXPIRED', expiredAt: '', currentTime: '' }),
      fail('CSRF_REFUSED'),
    ].map(({ status, message }) => `${status} ${message}`)
    expect(new Set(BREAKS.map(({ refusal }) => `${refusal.status} ${refusal.message}`))).toEqual(new Set(texts))
  })

  it('where no tokens are taken, a bad one is as none', () => {
    for (const broken of BEARER) {
      expect(dueRefusal(broken, { accepts: PROFILES.jdbc })).toEqual({
        status: 401,
        message: 'Authentication required',
      })
      expect(dueRefusal(broken, { accepts: PROFILES.jwt })).toBe(broken.refusal)
    }
  })
})

const DUE = { status: 401, message: 'Invalid', tokenStatus: 'MALFORMED' } as const

it.each([
  [401, '{"message":"Invalid","details":{"tokenStatus":"MALFORMED"}}', true],
  [403, '{"message":"Invalid","details":{"tokenStatus":"MALFORMED"}}', false],
  [401, '{"message":"Other","details":{"tokenStatus":"MALFORMED"}}', false],
  [401, '{"message":"Invalid","details":{"tokenStatus":"EXPIRED"}}', false],
  [401, '{"message":"Invalid"}', false],
  [401, 'no JSON', false],
])('%d %s is refused so: %s', (status, text, isSo) => {
  expect(isRefusedSo({ status, text }, DUE)).toBe(isSo)
})
