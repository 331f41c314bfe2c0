import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { sessionSettings } from '../../../../lib/runtime/settings/session.ts'

const load = (environment: Readonly<Record<string, string>> = {}) => loadConfig(sessionSettings, [], environment)

describe('the session settings', () => {
  it('are 30 minutes idle and 12 hours in all by default', () => {
    expect(load()).toEqual({ SESSION_IDLE_SECONDS: 1800, SESSION_MAX_SECONDS: 43_200 })
  })

  it('may be fractions, like all times', () => {
    expect(load({ SESSION_IDLE_SECONDS: '1.5', SESSION_MAX_SECONDS: '2.5' })).toEqual({
      SESSION_IDLE_SECONDS: 1.5,
      SESSION_MAX_SECONDS: 2.5,
    })
  })

  it.each(['0', '1m', '31536001'])('are not %s', (text) => {
    expect(() => load({ SESSION_IDLE_SECONDS: text })).toThrow('SESSION_IDLE_SECONDS: ')
    expect(() => load({ SESSION_MAX_SECONDS: text })).toThrow('SESSION_MAX_SECONDS: ')
  })
})
