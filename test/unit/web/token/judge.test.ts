import { describe, expect, it } from 'vitest'
import { TOKEN_STATUSES } from '../../../../lib/contract/tokens.ts'
import { TOKEN_ATTACKS } from '../../../../web/token/attacks.ts'
import { ownVerdict, resultsOf } from '../../../../web/token/judge.ts'
import { withClaims, withHeaderOf } from '../../../../web/token/token.ts'

const NOW = new Date('2026-01-02T03:04:05Z')
const SECONDS = NOW.getTime() / 1000
const SIGNATURE = 'A'.repeat(86)
const CLAIMS = { sub: 'a', role: 'ROLE_USER', iat: SECONDS - 1, exp: SECONDS + 60 }

const tokenOf = (claims: object, header: object = { alg: 'HS512' }) =>
  withHeaderOf(withClaims(`..${SIGNATURE}`, claims), header)

describe('the page alone', () => {
  it.each([
    ['', 'MISSING'],
    ['a.b.c', 'MALFORMED'],
    [tokenOf({ ...CLAIMS, note: 'x'.repeat(4096) }), 'MALFORMED'],
    [tokenOf(CLAIMS, { alg: 'none' }), 'UNSUPPORTED_ALGORITHM'],
    [tokenOf(CLAIMS, { alg: 'HS512', crit: [] }), 'UNSUPPORTED_ALGORITHM'],
    [tokenOf(CLAIMS).slice(0, -1), 'INVALID_SIGNATURE'],
    [tokenOf({ ...CLAIMS, sub: undefined }), 'MISSING_CLAIMS'],
    [tokenOf({ ...CLAIMS, role: 'ROLE_OWNER' }), 'INVALID_CLAIMS'],
    [tokenOf({ ...CLAIMS, exp: SECONDS }), 'EXPIRED'],
    [tokenOf({ ...CLAIMS, iat: SECONDS + 1 }), 'NOT_YET_VALID'],
    [tokenOf(CLAIMS), undefined],
  ])('reports %s: %s', (token, status) => {
    expect(ownVerdict(token, false, NOW)).toBe(status)
  })

  it('detects that a changed token is no longer the signed one', () => {
    expect(ownVerdict(tokenOf(CLAIMS), true, NOW)).toBe('INVALID_SIGNATURE')
  })

  it.each(TOKEN_ATTACKS.filter(({ from }) => from === 'token'))('detects: $label', ({ spoil, tokenStatus }) => {
    expect(ownVerdict(spoil(tokenOf(CLAIMS)), true, NOW)).toBe(tokenStatus)
  })
})

describe('the results of the checks', () => {
  it.each(TOKEN_STATUSES)('are refused in one by the service: %s', (status) => {
    const results = resultsOf(undefined, status)
    const at = TOKEN_STATUSES.indexOf(status)
    expect(results).toEqual(
      TOKEN_STATUSES.map((_, index) => (index < at ? 'passed' : index > at ? 'unreached' : 'refused')),
    )
  })

  it('follow the service, whatever the page found', () => {
    expect(resultsOf('EXPIRED', 'INVALID_SIGNATURE')).toEqual(resultsOf(undefined, 'INVALID_SIGNATURE'))
    expect(resultsOf('EXPIRED', 'VALID')).toEqual(TOKEN_STATUSES.map(() => 'passed'))
  })

  it.each([undefined, 'IGNORED', 'UNCLEAR'] as const)(
    'leave signature and account open while they are unknown: %s',
    (answer) => {
      const open = TOKEN_STATUSES.filter((_, index) => resultsOf(undefined, answer)[index] === 'open')
      expect(open).toEqual(['INVALID_SIGNATURE', 'REVOKED'])
    },
  )

  it('leave the signature open for a claim that the page refuses', () => {
    expect(resultsOf('EXPIRED')).toEqual([
      'passed',
      'passed',
      'passed',
      'open',
      'passed',
      'passed',
      'refused',
      'unreached',
      'unreached',
    ])
  })
})
