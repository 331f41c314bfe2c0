import { dynamoChangeReader } from '../adapters/dynamodb/change-reader.ts'
import { documentClient } from '../adapters/dynamodb/client.ts'
import { dynamoEventReader } from '../adapters/dynamodb/event-reader.ts'
import { bearerCheck } from '../auth/bearer.ts'
import { createGrpcServer } from '../grpc/server.ts'
import { authService } from '../grpc/services/auth.ts'
import { secureService } from '../grpc/services/secure.ts'
import { webhookEventService } from '../grpc/services/webhook-events.ts'
import { loadConfig } from '../platform/config.ts'
import { clockIds } from '../platform/ids.ts'
import { channelSettings } from '../platform/settings/channels.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { eventsStoreSettings } from '../platform/settings/stores.ts'
import { noLocalKeyDeployed, tokenSettings } from '../platform/settings/token.ts'
import { systemTimers } from '../platform/timers.ts'
import { inProcessBus } from '../stomp/bus.ts'
import { SESSION_LIMITS } from '../stomp/limits.ts'
import { createStompServer } from '../stomp/server.ts'
import { createLiveFeed } from '../webhooks/watch/feed.ts'
import { createWatch } from '../webhooks/watch/watch.ts'
import { tokensOf } from './checks.ts'
import { clock, log } from './edge.ts'

export { log }

export const config = loadConfig(
  { ...channelSettings, ...tokenSettings, ...edgeSettings, EVENTS_TABLE: eventsStoreSettings.EVENTS_TABLE },
  [noLocalKeyDeployed],
)

const tokens = await tokensOf(config)
const documents = documentClient()
const events = dynamoEventReader(documents, config.EVENTS_TABLE)
const reader = dynamoChangeReader(documents, config.EVENTS_TABLE)
const time = { clock, timers: systemTimers }
const feed = createLiveFeed({ reader, log, ...time })
const watch = createWatch({ feed, reader, ...time })

export const grpc = createGrpcServer({
  services: [authService, secureService, webhookEventService(events)],
  check: bearerCheck(tokens),
  clock,
  log,
})

export const stomp = createStompServer({
  baseUrl: config.BASE_URL,
  trustedOrigins: config.TRUSTED_ORIGINS,
  connections: config.STOMP_CONNECTIONS,
  connectionsPerUser: config.STOMP_CONNECTIONS_PER_USER,
  limits: SESSION_LIMITS,
  bus: inProcessBus(),
  watch,
  tokens,
  clock,
  timers: systemTimers,
  ids: clockIds(clock),
  random: Math.random,
  log,
})
