import { emfMetrics } from '../../../lib/adapters/emf/metrics.ts'
import { engineClients } from '../../../lib/adapters/fan-out/engine.ts'
import { createFanOut } from '../../../lib/adapters/fan-out/fan-out.ts'
import { createLiveGate } from '../../../lib/auth/live/gate.ts'
import { steadyClock, systemClock } from '../../../lib/runtime/clock.ts'
import { clockIds } from '../../../lib/runtime/ids.ts'
import { consoleLog } from '../../../lib/runtime/log.ts'
import { systemTimers } from '../../../lib/runtime/timers.ts'
import { createAdmission } from '../../../lib/stomp/admission.ts'
import { SESSION_LIMITS } from '../../../lib/stomp/limits.ts'
import { createStompSessions } from '../../../lib/stomp/sessions.ts'
import { createWebSockets } from '../../../lib/stomp/web-sockets.ts'
import { createHttpServer } from '../../../lib/stream/server.ts'
import { everyAccount } from '../../../test/support/fakes/principals.ts'
import { TOPICS } from '../../../test/support/fan-out.ts'
import { measureHere } from '../probe.ts'
import { strangers } from './strangers.ts'
import { tokens } from './tokens.ts'

const log = consoleLog(systemClock.now)

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
  metrics: emfMetrics('bench'),
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
  strangers: strangers('ws'),
  baseUrl,
  isLocal: false,
  timers: systemTimers,
})

measureHere(await server.listen('127.0.0.1', 0))
