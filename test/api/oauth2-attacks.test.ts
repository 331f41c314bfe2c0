import { describe, expect, it } from 'vitest'
import { LOGIN_ATTACKS, type LoginAttack } from '../../lib/contract/login-attacks.ts'
import { openBrowser, providerUser, setCookiesOf } from '../support/browserless-login.ts'
import { refusedLoginIn } from '../support/refused-login.ts'

/** The check that has to refuse each attack, and what the log calls it. */
const REFUSALS: Readonly<Record<LoginAttack, readonly [check: string, reason: string, code?: string]>> = {
  'foreign-state': ['state', 'state-mismatch'],
  'no-state': ['transaction', 'transaction-missing'],
  'other-browser': ['transaction', 'transaction-missing'],
  'other-callback': ['registration', 'registration-mismatch'],
  'mixed-up': ['iss', 'answer-rejected', 'OAUTH_INVALID_RESPONSE'],
  'error-answer': ['answer', 'refused-by-provider', 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'],
  'used-code': ['code', 'answer-rejected', 'OAUTH_RESPONSE_BODY_ERROR'],
  'other-challenge': ['pkce', 'answer-rejected', 'OAUTH_RESPONSE_BODY_ERROR'],
  unsigned: ['algorithm', 'answer-rejected', 'OAUTH_INVALID_RESPONSE'],
  expired: ['expiry', 'answer-rejected', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'],
  'other-issuer': ['issuer', 'answer-rejected', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
  'other-audience': ['audience', 'answer-rejected', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
  'old-nonce': ['nonce', 'answer-rejected', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
  'other-key': ['signature', 'answer-rejected', 'OAUTH_INVALID_RESPONSE'],
  'other-user': ['subject', 'answer-rejected', 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'],
}

const ATTACKS = Object.keys(LOGIN_ATTACKS) as readonly LoginAttack[]

async function attacked(attack: string, browser = openBrowser()) {
  const { headers } = await browser.start('google')
  const callback = await browser.chooseAt(String(headers['location']), providerUser('google', 'ROLE_ADMIN'), attack)
  const answer = await browser.get(`${callback.pathname}${callback.search}`)
  return { browser, callback, answer, cookies: setCookiesOf(answer), login: refusedLoginIn(setCookiesOf(answer)) }
}

describe('an attack that the demo provider simulates', () => {
  it.each(ATTACKS)(
    '%s: creates no session, the log and the browser name the failed check, and no secret',
    async (attack) => {
      const { browser, callback, answer, cookies, login } = await attacked(attack)
      const [check, reason, code] = REFUSALS[attack]
      expect([answer.status, answer.headers['location']]).toEqual([302, `/console/oauth?attack=${attack}`])
      expect(cookies.join()).not.toContain('JSESSIONID')
      expect(await browser.nextRefusal()).toMatchObject({
        provider: expect.any(String),
        check,
        reason,
        ...(code && { code }),
      })
      expect(login).toMatchObject({ lab: attack, provider: 'google', reason, refused: { check } })
      const text = JSON.stringify(login)
      for (const name of ['code', 'state']) {
        const value = callback.searchParams.get(name)
        if (value !== null) expect(text).not.toContain(value.slice(0, 12))
      }
      expect(text).not.toMatch(/eyJ[\w-]{2}|[\w-]{40}/)
    },
  )

  it('does not affect the next login of that browser', async () => {
    const browser = openBrowser()
    await attacked('old-nonce', browser)
    const { headers } = await browser.login('google', providerUser('google', 'ROLE_ADMIN'))
    expect(headers['location']).toBe('/')
    expect((await browser.get('/api/oauth2/steps')).json.provider).toBe('google')
  })

  it('does not happen under an unknown name: the login succeeds', async () => {
    const { answer, cookies } = await attacked('__proto__')
    expect(answer.headers['location']).toBe('/')
    expect(cookies.join()).toContain('JSESSIONID')
  })
})
