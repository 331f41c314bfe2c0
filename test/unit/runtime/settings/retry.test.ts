import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { retrySettings } from '../../../../lib/runtime/settings/retry.ts'

const delaysOf = (text: string) =>
  loadConfig(retrySettings, [], { WEBHOOK_RETRY_DELAY_MINUTES: text }).WEBHOOK_RETRY_DELAY_MINUTES

describe('the delays of retries', () => {
  it.each([
    ['', [5, 15, 60]],
    ['0.05,0.1', [0.05, 0.1]],
    [' 1 , 2 ', [1, 2]],
  ])('given as “%s” are %j minutes', (text, delays) => {
    expect(delaysOf(text)).toEqual(delays)
  })

  it.each([
    [',', 'must hold at least one delay'],
    ['5,soon', 'must be minutes, separated by commas'],
  ])('are refused as %s: %s', (text, rule) => {
    expect(() => delaysOf(text)).toThrow(`WEBHOOK_RETRY_DELAY_MINUTES: ${rule}`)
  })
})
