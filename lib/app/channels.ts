import { dynamoChangeReader, dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoEventReader, dynamoOperatorStore } from '../adapters/dynamodb/event-reader.ts'
import { dynamoMessageReader, dynamoMessageWriter } from '../adapters/dynamodb/messages.ts'
import { createAccountGate } from '../auth/account-gate.ts'
import { createLiveGate } from '../auth/live/gate.ts'
import { bearerCheck, createTokens, type Tokens } from '../auth/token.ts'
import { createGrpcServer } from '../grpc/server.ts'
import { authService, secureService } from '../grpc/services/auth.ts'
import { webhookEventService } from '../grpc/services/webhook-events.ts'
import { createSharedBus } from '../messages/shared-bus.ts'
import { type Cancel, systemTimers, type Timers } from '../runtime/async.ts'
import { type Config, loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { type AnonymousClients, createAdmission, createAnonymousClients } from '../runtime/limits.ts'
import type { Gauge, Metrics } from '../runtime/metrics.ts'
import { channelRules, channelSettings } from '../runtime/settings/channels.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { eventsStoreSettings, messagesStoreSettings, retryQueueSettings } from '../runtime/settings/stores.ts'
import { tokenSettings } from '../runtime/settings/token.ts'
import { earlierOf, steadyClock } from '../runtime/time.ts'
import { sessionLimits } from '../stomp/limits.ts'
import { createStompSessions } from '../stomp/sessions.ts'
import { createWebSockets } from '../stomp/web-sockets.ts'
import { createEventStreams } from '../stream/event-streams.ts'
import { createHttpServer } from '../stream/server.ts'
import type { Trail } from '../trail/trail.ts'
import { createLiveFeed } from '../webhooks/live/feed.ts'
import { createLags, createWatch } from '../webhooks/live/watch.ts'
import { clock, log, secretCache } from './edge.ts'
import { openKeyGate } from './key-gate.ts'
import { observabilityOf, observabilitySettings } from './processing.ts'
import { retryQueue } from './queues.ts'
import { tokenKeys } from './secrets.ts'
import { makeAccountStates } from './sessions.ts'
import { documents, trailOf } from './stores.ts'
import { openTicketGate } from './tickets.ts'

/** How long a channel remembers changes: clients that lost their instance have reconnected by then. */
const MEMORY_MS = 5 * 60_000

/** How long messages may take that wait to be stored when the process ends. */
const PATIENCE_MS = 5000

/**
 * Streams per place of a call: most streams are refused, or have their token checked, at once, so there may be more of
 * them.
 */
const STREAMS_PER_PLACE = 8

const settings = {
  ...channelSettings,
  JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS,
  ...edgeSettings,
  ...eventsStoreSettings,
  ...retryQueueSettings,
  ...observabilitySettings,
  ...messagesStoreSettings,
}

/** For the companion container: a server for each channel, and what feeds them from elsewhere than their callers. */
export async function makeChannels() {
  const keys = await tokenKeys()
  const config = loadConfig(settings, [...edgeDeployed, ...channelRules])
  const tokens = freshTokens(createTokens({ keys, lifetimeSeconds: config.JWT_LIFETIME_SECONDS, clock }))
  const gate = openKeyGate()
  const accounts = createAccountGate(makeAccountStates(), clock)
  const live = await liveOf(config)
  const { bus, feed, lags, watch, reporting } = live
  const trail = trailOf()
  const { metrics, conclude } = reporting
  const shared = { clock, timers: systemTimers, log, metrics }

  /** The limits on callers without a token, on the port of a channel. */
  function anonymousOf(channel: string, factor = 1): AnonymousClients {
    const limits = {
      inAll: config.CHANNELS_ANONYMOUS * factor,
      perAddress: config.CHANNELS_ANONYMOUS_PER_ADDRESS * factor,
    }
    return createAnonymousClients(channel, { limits, trustedProxies: config.TRUSTED_PROXIES, ...shared })
  }

  const grpc = createGrpcServer({
    services: [authService, secureService, webhookEventsOf(config, live, trail)],
    check: bearerCheck(tokens),
    accounts,
    keys: gate,
    anonymous: {
      connections: anonymousOf('grpc connection'),
      streams: anonymousOf('grpc stream', STREAMS_PER_PLACE),
      calls: anonymousOf('grpc call'),
    },
    trail,
    connectionAge: config.GRPC_CONNECTION_AGE_SECONDS * 1000,
    random: Math.random,
    ...shared,
  })

  const limits = sessionLimits({
    heartBeat: config.STOMP_HEART_BEAT_SECONDS * 1000,
    bodyBytes: config.STOMP_BODY_BYTES,
    framesPerSecond: config.STOMP_FRAMES_PER_SECOND,
    frameBurst: config.STOMP_FRAME_BURST,
  })

  const admission = createAdmission(config.STOMP_CONNECTIONS, config.STOMP_CONNECTIONS_PER_USER)
  const liveGate = createLiveGate({ tokens, accounts, keys: gate, tickets: openTicketGate() })

  const sessions = createStompSessions({
    steady: steadyClock,
    gate: liveGate,
    admission,
    limits,
    bus,
    watch,
    position: () => feed.ready()?.then(feed.cursor) ?? feed.cursor(),
    ids: clockIds(clock),
    random: Math.random,
    ...shared,
  })

  const origins = { baseUrl: config.BASE_URL, trustedOrigins: config.TRUSTED_ORIGINS }

  const streams = createEventStreams({ ...origins, gate: liveGate, admission, watch, random: Math.random, ...shared })

  const http = createHttpServer({
    streams,
    webSockets: createWebSockets({ ...origins, sessions, bodyBytes: limits.bodyBytes, timers: systemTimers, log }),
    anonymous: anonymousOf('ws'),
    baseUrl: config.BASE_URL,
    listensOn: config.STAGE === 'local' ? config.CHANNELS_HOST : undefined,
    timers: systemTimers,
  })

  let stopReport = async () => {}

  function start(): void {
    const gauges = {
      Sessions: () => admission.taken - streams.open,
      PlacesTaken: () => (100 * admission.taken) / config.STOMP_CONNECTIONS,
      Streams: () => grpc.openStreams + streams.open,
      WatchLag: lags.greatest,
    }
    stopReport = reportEveryMinute({ metrics, conclude, timers: systemTimers, gauges })
  }

  async function stop(): Promise<void> {
    await Promise.all([atMost(PATIENCE_MS, bus.idle()), stopReport()])
  }

  return { config, log, grpc, http, background: { start, stop } }
}

type ChannelConfig = Config<typeof settings>
type Live = Awaited<ReturnType<typeof liveOf>>

/** Carries changes and messages: from the tables, and between instances. */
async function liveOf(config: ChannelConfig) {
  const reporting = await observabilityOf(config, 'worker')
  const reader = dynamoChangeReader(documents(), config.EVENTS_TABLE)
  /**
   * A change that the feed counts as settled too early, and a message that is stored under a time to come, would reach
   * no client, so a clock that is ahead must not decide alone.
   */
  const feedClock = earlierOf(clock, steadyClock)
  const feed = createLiveFeed({ reader, log, memory: MEMORY_MS, clock: feedClock, timers: systemTimers })
  const lags = createLags(feedClock)
  const watch = createWatch({ feed, reader, timers: systemTimers, lags })
  const store = {
    ...dynamoMessageWriter(config.MESSAGES_TABLE),
    ...dynamoMessageReader(documents(), config.MESSAGES_TABLE),
  }
  const bus = createSharedBus({
    store,
    ids: clockIds(clock),
    random: Math.random,
    log,
    clock: feedClock,
    timers: systemTimers,
  })
  return { reporting, feed, lags, watch, bus }
}

function webhookEventsOf(config: ChannelConfig, { watch, reporting }: Live, trail: Trail) {
  return webhookEventService({
    events: dynamoEventReader(documents(), config.EVENTS_TABLE),
    list: dynamoEventList(documents(), config.EVENTS_TABLE),
    watch,
    operators: dynamoOperatorStore(documents(), config.EVENTS_TABLE),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    clock,
    audit: reporting.audit,
    trail,
    log,
  })
}

/** Checks each token with fresh keys: unlike an endpoint, a channel prepares nothing before each call. */
function freshTokens(own: Tokens): Tokens {
  return {
    ...own,
    verify: (token) =>
      secretCache()
        .refresh()
        ?.then(() => own.verify(token)) ?? own.verify(token),
  }
}

/** Settles with the work, or after so many milliseconds. */
function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>()
  const cancel = systemTimers.after(milliseconds, resolve)
  return Promise.race([work, elapsed]).finally(cancel)
}

/** How often the channels report, in milliseconds. */
const EVERY_MS = 60_000

interface ReportParts {
  readonly metrics: Pick<Metrics, 'measure'>
  /** Writes what was counted and measured. */
  readonly conclude: () => Promise<void>
  readonly timers: Timers
  /** What is measured then. */
  readonly gauges: Readonly<Partial<Record<Gauge, () => number>>>
}

/**
 * Writes once a minute what was counted and what is measured.
 * @returns what stops it, after it has written what was counted since
 */
export function reportEveryMinute({ metrics, conclude, timers, gauges }: ReportParts): () => Promise<void> {
  let cancel = wait()

  function wait(): Cancel {
    return timers.after(EVERY_MS, report)
  }

  function report(): void {
    for (const [gauge, read] of Object.entries(gauges)) metrics.measure(gauge as Gauge, read())
    void conclude()
    cancel = wait()
  }

  return () => {
    cancel()
    return conclude()
  }
}
