import { text, whole, withDefault } from '../config.ts'

export const usersStoreSettings = { USERS_TABLE: text }
export const eventsStoreSettings = { EVENTS_TABLE: text }
export const paymentsStoreSettings = { PAYMENTS_TABLE: text }
export const ordersStoreSettings = { ORDERS_TABLE: text }
export const retryQueueSettings = { RETRY_QUEUE_URL: text }
export const messagesStoreSettings = { MESSAGES_TABLE: text }
export const replayStoreSettings = { REPLAYS_TABLE: text, REPLAY_QUEUE_URL: text }
export const deliveriesStoreSettings = { DELIVERIES_TABLE: text }
export const refusalsStoreSettings = { REFUSALS_TABLE: text }
export const keysStoreSettings = { KEYS_TABLE: text }
export const passkeysStoreSettings = { PASSKEYS_TABLE: text }
export const auditStoreSettings = {
  AUDIT_TABLE: text,
  /** The days that a row of the [audit trail](operations.md#the-audit-trail) is kept */
  AUDIT_DAYS: withDefault(whole(30, 3650), 400),
}
export const sessionsStoreSettings = { SESSIONS_TABLE: text }
export const countersStoreSettings = { COUNTERS_TABLE: text }
