import { required } from './values.ts'

export const usersStoreSettings = { USERS_TABLE: required() }
export const eventsStoreSettings = { EVENTS_TABLE: required() }
export const paymentsStoreSettings = { PAYMENTS_TABLE: required() }
export const ordersStoreSettings = { ORDERS_TABLE: required() }
export const retryQueueSettings = { RETRY_QUEUE_URL: required() }
export const eventsTopicSettings = { EVENTS_TOPIC_ARN: required() }
export const messagesTopicSettings = { MESSAGES_TOPIC_ARN: required() }
export const replayStoreSettings = { REPLAYS_TABLE: required(), REPLAY_QUEUE_URL: required() }
export const sessionsStoreSettings = { SESSIONS_TABLE: required() }
export const countersStoreSettings = { COUNTERS_TABLE: required() }
