import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { retrySettings } from '../../../../lib/runtime/settings/retry.ts'

function load(environment: Readonly<Record<string, string>> = {}) {
  return loadConfig(retrySettings, [], environment)
}

describe('the retry settings', () => {
  it('default to 3 attempts after 5, 15 and 60 minutes, scanned every 300000 ms', () => {
    expect(load()).toEqual({
      WEBHOOK_RETRY_MAX_ATTEMPTS: 3,
      WEBHOOK_RETRY_DELAY_MINUTES: [5, 15, 60],
      WEBHOOK_RETRY_SCAN_INTERVAL_MS: 300_000,
    })
  })

  it.each([
    ['0.05,0.1', [0.05, 0.1]],
    [' 1 , 2 ', [1, 2]],
  ])('accept delays with fractions: %s', (text, delays) => {
    expect(load({ WEBHOOK_RETRY_DELAY_MINUTES: text }).WEBHOOK_RETRY_DELAY_MINUTES).toEqual(delays)
  })

  it.each([
    ['WEBHOOK_RETRY_DELAY_MINUTES', ',', 'must hold at least one delay'],
    ['WEBHOOK_RETRY_DELAY_MINUTES', '5,soon', 'must be minutes, separated by commas'],
    ['WEBHOOK_RETRY_MAX_ATTEMPTS', '1.5', 'must be a whole number'],
    ['WEBHOOK_RETRY_MAX_ATTEMPTS', '101', 'must be at most 100'],
    ['WEBHOOK_RETRY_SCAN_INTERVAL_MS', '99', 'must be at least 100'],
  ])('%s=%s: %s', (name, text, rule) => {
    expect(() => load({ [name]: text })).toThrow(`${name}: ${rule}`)
  })
})
