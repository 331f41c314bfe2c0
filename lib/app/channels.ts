import { dynamoChangeReader } from '../adapters/dynamodb/change-reader.ts'
import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoEventReader } from '../adapters/dynamodb/event-reader.ts'
import { dynamoOperatorStore } from '../adapters/dynamodb/operator-store.ts'
import { promptEmfMetrics } from '../adapters/emf/metrics.ts'
import { engineClients } from '../adapters/fan-out/engine.ts'
import { createFanOut } from '../adapters/fan-out/fan-out.ts'
import { bearerCheck } from '../auth/bearer.ts'
import { createTokens, type Tokens } from '../auth/token.ts'
import { createGrpcServer } from '../grpc/server.ts'
import { authService } from '../grpc/services/auth.ts'
import { secureService } from '../grpc/services/secure.ts'
import { webhookEventService } from '../grpc/services/webhook-events.ts'
import { earlierOf, steadyClock } from '../platform/clock.ts'
import { type Config, type Environment, loadConfig } from '../platform/config.ts'
import { clockIds } from '../platform/ids.ts'
import { channelSettings } from '../platform/settings/channels.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { eventsStoreSettings, messagesTopicSettings, retryQueueSettings } from '../platform/settings/stores.ts'
import { tokenSettings } from '../platform/settings/token.ts'
import { createStrangers, type Strangers } from '../platform/strangers.ts'
import { systemTimers } from '../platform/timers.ts'
import { SESSION_LIMITS } from '../stomp/limits.ts'
import { createStompServer } from '../stomp/server.ts'
import { createSessions } from '../stomp/sessions.ts'
import { createTcpServer } from '../stomp/tcp-server.ts'
import { EVERY_NAME } from '../webhooks/metrics.ts'
import { announcingOperators } from '../webhooks/operate/announce.ts'
import { createLiveFeed } from '../webhooks/watch/feed.ts'
import { createWatch } from '../webhooks/watch/watch.ts'
import { documents } from './clients.ts'
import { clock, keeper, log } from './edge.ts'
import { reportingOf, reportingSettings } from './processing.ts'
import { retryQueue } from './queues.ts'
import { tokenKeys } from './secrets.ts'

/** Clients that lost their process are back by then. */
const MEMORY_MS = 5 * 60_000

/** How long channels wait for the engine that carries messages between instances: they work without it, if less well. */
const PATIENCE_MS = 2000

/** Most streams are refused, or have their token checked, in no time: of those there may be more than of calls. */
const STREAMS_PER_PLACE = 8

const settings = {
  ...channelSettings,
  JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS,
  ...edgeSettings,
  ...eventsStoreSettings,
  ...retryQueueSettings,
  ...reportingSettings,
  ...messagesTopicSettings,
}

/** For the companion container: a server for each channel, and what comes from elsewhere than the callers. */
export async function makeChannels(environment?: Environment) {
  const keys = await tokenKeys(environment)
  const config = loadConfig(settings, [], environment)
  const tokens = freshTokens(createTokens({ keys, lifetimeSeconds: config.JWT_LIFETIME_SECONDS, clock }))
  const live = liveOf(config)
  const { fanOut, feed, watch, reporting } = live
  const time = { clock, timers: systemTimers, log }

  /** The places of those without a token, on the port of a channel. */
  function strangersOf(channel: string, factor = 1): Strangers {
    const limits = {
      inAll: config.CHANNELS_ANONYMOUS * factor,
      perAddress: config.CHANNELS_ANONYMOUS_PER_ADDRESS * factor,
    }
    return createStrangers(channel, { limits, trustedProxies: config.TRUSTED_PROXIES, timers: systemTimers, log })
  }

  const grpc = createGrpcServer({
    services: [authService, secureService, webhookEventsOf(config, live)],
    check: bearerCheck(tokens),
    strangers: {
      connections: strangersOf('grpc connection'),
      streams: strangersOf('grpc stream', STREAMS_PER_PLACE),
      calls: strangersOf('grpc call'),
    },
    ...time,
  })

  const sessions = createSessions({
    steady: steadyClock,
    connections: config.STOMP_CONNECTIONS,
    connectionsPerUser: config.STOMP_CONNECTIONS_PER_USER,
    limits: SESSION_LIMITS,
    bus: fanOut.bus,
    watch,
    tokens,
    ids: clockIds(clock),
    random: Math.random,
    ...time,
  })

  const stomp = createStompServer({
    baseUrl: config.BASE_URL,
    trustedOrigins: config.TRUSTED_ORIGINS,
    isLocal: config.STAGE === 'local',
    sessions,
    strangers: strangersOf('ws'),
    timers: systemTimers,
    log,
  })

  const stompTcp = createTcpServer({ sessions, strangers: strangersOf('stompTcp'), ...time })

  async function start(): Promise<void> {
    void feed.start()
    await fanOut.start(PATIENCE_MS)
  }

  async function stop(): Promise<void> {
    feed.stop()
    await Promise.all([fanOut.stop(), reporting.conclude()])
  }

  return { config, log, grpc, stomp, stompTcp, background: { start, stop } }
}

type ChannelConfig = Config<typeof settings>
type Live = ReturnType<typeof liveOf>

/** What carries changes and messages, from the tables and between instances. */
function liveOf(config: ChannelConfig) {
  const reporting = reportingOf(config, 'worker', EVERY_NAME, promptEmfMetrics)
  const reader = dynamoChangeReader(documents(), config.EVENTS_TABLE)
  /** What is taken for complete too early is told to nobody: a clock that is set ahead must not decide that alone. */
  const feedClock = earlierOf(clock, steadyClock)
  const feed = createLiveFeed({ reader, log, memory: MEMORY_MS, clock: feedClock, timers: systemTimers })
  const watch = createWatch({ feed, reader, timers: systemTimers })
  const topics = { events: config.EVENTS_TOPIC_ARN, messages: config.MESSAGES_TOPIC_ARN }
  const engine = { ...engineClients(), topics, stage: config.STAGE }
  const ids = clockIds(clock)
  const fanOut = createFanOut({ engine, ids, random: Math.random, log, clock, timers: systemTimers })
  fanOut.onChange(feed.hear)
  return { reporting, feed, watch, fanOut }
}

function webhookEventsOf(config: ChannelConfig, { watch, reporting }: Live) {
  return webhookEventService({
    events: dynamoEventReader(documents(), config.EVENTS_TABLE),
    list: dynamoEventList(documents(), config.EVENTS_TABLE),
    watch,
    operators: announcingOperators(dynamoOperatorStore(documents(), config.EVENTS_TABLE), reporting.announcer),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    clock,
    audit: reporting.audit,
    log,
  })
}

/** No endpoint prepares the calls of a channel, so each check of a token does. */
function freshTokens(own: Tokens): Tokens {
  return {
    ...own,
    verify: (token) =>
      keeper()
        .refresh()
        ?.then(() => own.verify(token)) ?? own.verify(token),
  }
}
