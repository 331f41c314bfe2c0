import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { loginSettings } from '../../../../lib/runtime/settings/login.ts'

const load = (environment: Readonly<Record<string, string>> = {}) => loadConfig(loginSettings, [], environment)

describe('the login settings', () => {
  it('are 10 failures per user, 100 per address, in windows of 300 seconds by default', () => {
    expect(load()).toMatchObject({
      LOGIN_FAILURES_PER_USER: 10,
      LOGIN_FAILURES_PER_ADDRESS: 100,
      LOGIN_FAILURE_WINDOW_SECONDS: 300,
    })
  })

  it('limit the cache of a right password to a minute at most, and allow none', () => {
    expect(load().BASIC_CACHE_SECONDS).toBe(60)
    expect(load({ BASIC_CACHE_SECONDS: '0' }).BASIC_CACHE_SECONDS).toBe(0)
    expect(() => load({ BASIC_CACHE_SECONDS: '61' })).toThrow('BASIC_CACHE_SECONDS: must be at most 60')
  })

  it.each(['LOGIN_FAILURES_PER_USER', 'LOGIN_FAILURES_PER_ADDRESS'] as const)(
    '%s may be 0, which disables it',
    (name) => {
      expect(load({ [name]: '0' })[name]).toBe(0)
      expect(() => load({ [name]: '-1' })).toThrow(`${name}: `)
      expect(() => load({ [name]: '1.5' })).toThrow(`${name}: must be a whole number`)
    },
  )

  it('allow fractions for the window, and no window of 0', () => {
    expect(load({ LOGIN_FAILURE_WINDOW_SECONDS: '1.5' }).LOGIN_FAILURE_WINDOW_SECONDS).toBe(1.5)
    expect(() => load({ LOGIN_FAILURE_WINDOW_SECONDS: '0' })).toThrow('LOGIN_FAILURE_WINDOW_SECONDS: ')
  })
})
