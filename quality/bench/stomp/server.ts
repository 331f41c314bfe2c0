import { emfMetrics } from '../../../lib/adapters/emf/metrics.ts'
import { engineClients } from '../../../lib/adapters/fan-out/engine.ts'
import { createFanOut } from '../../../lib/adapters/fan-out/fan-out.ts'
import { createLiveGate } from '../../../lib/auth/live/gate.ts'
import { createTokens } from '../../../lib/auth/token.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { steadyClock, systemClock } from '../../../lib/runtime/clock.ts'
import { clockIds } from '../../../lib/runtime/ids.ts'
import { consoleLog } from '../../../lib/runtime/log.ts'
import { createStrangers } from '../../../lib/runtime/strangers.ts'
import { systemTimers } from '../../../lib/runtime/timers.ts'
import { createAdmission } from '../../../lib/stomp/admission.ts'
import { SESSION_LIMITS } from '../../../lib/stomp/limits.ts'
import { createStompSessions } from '../../../lib/stomp/sessions.ts'
import { createWebSockets } from '../../../lib/stomp/web-sockets.ts'
import { createHttpServer } from '../../../lib/stream/server.ts'
import { everyAccount } from '../../../test/support/fakes/principals.ts'
import { TOPICS } from '../../../test/support/fan-out.ts'
import { KEY } from '../key.ts'

const log = consoleLog(systemClock.now)
const metrics = emfMetrics('bench')
const keys = { current: [{ kid: 'bench', secret: KEY }] }
const tokens = createTokens({ keys, lifetimeSeconds: 3600, clock: systemClock })

/** As the container has it, with the engine that the bench has started. */
const fanOut = createFanOut({
  engine: { ...engineClients(), topics: TOPICS, stage: 'test' },
  clock: systemClock,
  timers: systemTimers,
  ids: clockIds(systemClock),
  random: Math.random,
  log,
})
await fanOut.start(10_000)

const sessions = createStompSessions({
  admission: createAdmission(10_000, 100),
  gate: createLiveGate({ tokens, accounts: everyAccount }),
  limits: SESSION_LIMITS,
  bus: fanOut.bus,
  // Nobody subscribes to webhook events here.
  watch: async function* () {},
  position: () => '',
  clock: systemClock,
  steady: steadyClock,
  timers: systemTimers,
  ids: clockIds(systemClock),
  random: Math.random,
  log,
  metrics,
})

const baseUrl = new URL('http://127.0.0.1')

const server = createHttpServer({
  streams: { path: '/none', open: 0, answer: () => {}, drain: () => {} },
  webSockets: createWebSockets({
    baseUrl,
    trustedOrigins: [],
    sessions,
    bodyBytes: SESSION_LIMITS.bodyBytes,
    timers: systemTimers,
    log,
  }),
  // All clients come from one address, and many at a time.
  strangers: createStrangers('ws', {
    limits: { inAll: 10_000, perAddress: 10_000 },
    trustedProxies: NO_NETWORKS,
    timers: systemTimers,
    log,
    metrics,
  }),
  baseUrl,
  isLocal: false,
  timers: systemTimers,
})

process.once('disconnect', () => process.exit())
process.send?.(await server.listen('127.0.0.1', 0))
