import { describe, expect, it } from 'vitest'
import { PROFILES } from '../../../../lib/auth/profile.ts'
import { TOKEN_STATUSES } from '../../../../lib/contract/tokens.ts'
import { fail } from '../../../../lib/errors.ts'
import { ATTACKS, attackSteps, dueRefusal, isRefusedSo, slugOf } from '../../../../web/lab/attacks.ts'

const BEARER = ATTACKS.filter(({ from }) => from !== 'session')

describe('the attacks that must be refused', () => {
  it('are a table of different faults, of which each check of a token refuses one', () => {
    expect(new Set(ATTACKS.map(slugOf)).size).toBe(ATTACKS.length)
    const shown = new Set(BEARER.map(({ refusal }) => refusal.tokenStatus))
    expect(shown).toEqual(new Set(TOKEN_STATUSES))
  })

  it.each(BEARER)('$label sends a token and no cookie', ({ call }) => {
    const { withSession, headers } = call('a.b.c')
    expect([withSession, headers['authorization']?.startsWith('Bearer ')]).toEqual([false, true])
  })

  it('only an attack on the account is a call with a change', () => {
    const changing = BEARER.filter(({ call }) => call('a.b.c').method !== 'GET')
    expect(changing.map(({ refusal }) => refusal.tokenStatus)).toEqual(['REVOKED'])
  })

  it('the texts are those of the catalog', () => {
    const texts = [
      fail('TOKEN_INVALID', { tokenError: '', tokenStatus: '' }),
      fail('TOKEN_EXPIRED', { tokenError: '', tokenStatus: 'EXPIRED', expiredAt: '', currentTime: '' }),
      fail('CSRF_TOKEN_MISSING', { reason: '' }),
    ].map(({ status, message }) => `${status} ${message}`)
    expect(new Set(ATTACKS.map(({ refusal }) => `${refusal.status} ${refusal.message}`))).toEqual(new Set(texts))
  })

  it('if no tokens are accepted, a bad one counts as none', () => {
    for (const attack of BEARER) {
      expect(dueRefusal(attack, { accepts: PROFILES.jdbc })).toEqual({
        status: 401,
        message: 'Authentication required',
      })
      expect(dueRefusal(attack, { accepts: PROFILES.jwt })).toBe(attack.refusal)
    }
  })

  it.each(ATTACKS)('$label is refused in exactly one step, after which none is reached', ({ refusal }) => {
    const results = attackSteps(refusal).map(({ result }) => result)
    const at = results.indexOf('refused')
    expect(results.slice(0, at).every((result) => result === 'passed')).toBe(true)
    expect(results.slice(at + 1).every((result) => result === 'unreached')).toBe(true)
  })
})

const DUE = { status: 401, message: 'Invalid', tokenStatus: 'MALFORMED' } as const

it.each([
  [401, '{"message":"Invalid","details":{"tokenStatus":"MALFORMED"}}', true],
  [403, '{"message":"Invalid","details":{"tokenStatus":"MALFORMED"}}', false],
  [401, '{"message":"Other","details":{"tokenStatus":"MALFORMED"}}', false],
  [401, '{"message":"Invalid","details":{"tokenStatus":"EXPIRED"}}', false],
  [401, 'no JSON', false],
])('%d %s is refused with: %s', (status, text, isSo) => {
  expect(isRefusedSo({ status, text }, DUE)).toBe(isSo)
})
