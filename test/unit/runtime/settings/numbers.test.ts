import { expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { channelSettings } from '../../../../lib/runtime/settings/channels.ts'
import { loginSettings, sessionSettings } from '../../../../lib/runtime/settings/login.ts'
import { retrySettings } from '../../../../lib/runtime/settings/retry.ts'
import { secretSettings } from '../../../../lib/runtime/settings/secrets.ts'
import { auditStoreSettings } from '../../../../lib/runtime/settings/stores.ts'
import { tokenSettings } from '../../../../lib/runtime/settings/token.ts'
import { webhookSettings } from '../../../../lib/runtime/settings/webhooks.ts'

const { AUDIT_DAYS } = auditStoreSettings
const { JWT_LIFETIME_SECONDS } = tokenSettings
const SETTINGS = {
  ...channelSettings,
  ...loginSettings,
  ...retrySettings,
  ...secretSettings,
  ...sessionSettings,
  ...webhookSettings,
  AUDIT_DAYS,
  JWT_LIFETIME_SECONDS,
}

const load = (environment: Readonly<Record<string, string>>) => loadConfig(SETTINGS, [], environment)

it.each<[keyof typeof SETTINGS, number | undefined, number, number, 'whole' | 'decimal']>([
  ['GRPC_PORT', 5051, 0, 65_535, 'whole'],
  ['WS_PORT', 3001, 0, 65_535, 'whole'],
  ['GRPC_CONNECTION_AGE_SECONDS', 1800, 10, 86_400, 'whole'],
  ['STOMP_CONNECTIONS', 10_000, 1, 1_000_000, 'whole'],
  ['STOMP_CONNECTIONS_PER_USER', 100, 1, 1_000_000, 'whole'],
  ['CHANNELS_ANONYMOUS', 512, 1, 1_000_000, 'whole'],
  ['CHANNELS_ANONYMOUS_PER_ADDRESS', 64, 1, 1_000_000, 'whole'],
  ['STOMP_HEART_BEAT_SECONDS', 10, 1, 60, 'whole'],
  ['STOMP_BODY_BYTES', 65_536, 1024, 180_000, 'whole'],
  ['STOMP_FRAMES_PER_SECOND', 100, 1, 10_000, 'whole'],
  ['STOMP_FRAME_BURST', 1000, 1, 10_000, 'whole'],
  ['DRAIN_SECONDS', 10, 0, 3600, 'decimal'],
  ['LOGIN_FAILURES_PER_USER', 10, 0, 1_000_000, 'whole'],
  ['LOGIN_FAILURES_PER_ADDRESS', 100, 0, 1_000_000, 'whole'],
  ['LOGIN_FAILURES_PER_NAME', 100, 0, 1_000_000, 'whole'],
  ['LOGIN_FAILURE_WINDOW_SECONDS', 300, 1, 86_400, 'decimal'],
  ['BASIC_CACHE_SECONDS', 60, 0, 60, 'whole'],
  ['WEBHOOK_RETRY_MAX_ATTEMPTS', 3, 0, 100, 'whole'],
  ['WEBHOOK_RETRY_SCAN_INTERVAL_MS', 300_000, 100, 86_400_000, 'whole'],
  ['SECRET_MAX_AGE_SECONDS', 300, 0, 3600, 'decimal'],
  ['SESSION_IDLE_SECONDS', 1800, 1, 31_536_000, 'decimal'],
  ['SESSION_MAX_SECONDS', 43_200, 1, 31_536_000, 'decimal'],
  ['WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE', 100, 0, 1_000_000, 'whole'],
  ['WEBHOOK_TOLERANCE_SECONDS', undefined, 0, 31_536_000, 'decimal'],
  ['WEBHOOK_MAX_BODY_BYTES', 4_194_304, 1, 4_194_304, 'whole'],
  ['AUDIT_DAYS', 400, 30, 3650, 'whole'],
  ['JWT_LIFETIME_SECONDS', 86_400, 1, 31_536_000, 'whole'],
])('%s is %s by default, and from %d to %d: a %s number', (name, usual, least, most, form) => {
  expect(load({})[name]).toBe(usual)
  for (const value of [least, most]) expect(load({ [name]: `${value}` })[name]).toBe(value)
  for (const value of [least - 1, most + 1]) expect(() => load({ [name]: `${value}` })).toThrow(`${name}: must be`)
  const fraction = least + 0.5
  if (form === 'decimal') expect(load({ [name]: `${fraction}` })[name]).toBe(fraction)
  else expect(() => load({ [name]: `${fraction}` })).toThrow(`${name}: must be a whole number`)
})
