import { Buffer } from 'node:buffer'
import { vi } from 'vitest'
import type { AccountGate } from '../../lib/auth/account-gate.ts'
import type { TokenKey } from '../../lib/auth/jwt.ts'
import type { KeyReader } from '../../lib/auth/keys/api-key.ts'
import { createKeyGate } from '../../lib/auth/keys/gate.ts'
import { createLiveGate } from '../../lib/auth/live/gate.ts'
import type { TicketGate } from '../../lib/auth/live/ticket.ts'
import { createTokens } from '../../lib/auth/token.ts'
import type { EventBus } from '../../lib/messages/message.ts'
import { type Admission, createAdmission } from '../../lib/runtime/limits.ts'
import type { Clock } from '../../lib/runtime/time.ts'
import { createBroker } from '../../lib/stomp/broker.ts'
import type { SessionLimits } from '../../lib/stomp/limits.ts'
import { StompSession } from '../../lib/stomp/session.ts'
import { createLiveFeed } from '../../lib/webhooks/live/feed.ts'
import { createWatch } from '../../lib/webhooks/live/watch.ts'
import { inProcessBus } from './fakes/bus.ts'
import { MemoryChangeReader } from './fakes/change-reader.ts'
import { START } from './fakes/clock.ts'
import { countingIds } from './fakes/ids.ts'
import { FIRST_KEY, signToken } from './fakes/jwt.ts'
import { ADMINS, MemoryKeys, noTickets } from './fakes/keys.ts'
import { recordingLog } from './fakes/log.ts'
import { recordingMetrics } from './fakes/metrics.ts'
import { everyAccount } from './fakes/principals.ts'
import { SESSION_LIMITS } from './fakes/session-limits.ts'
import { type VirtualTime, virtualTime } from './fakes/timers.ts'
import { recordingTransport } from './fakes/transport.ts'

const NOW = START.getTime() / 1000

/** A good token; its lifetime in seconds. */
export function tokenOf(sub: string, role = 'ROLE_USER', lifetime = 3600): string {
  return signToken({ sub, role, iat: NOW, exp: NOW + lifetime })
}

const connectWith = (token: string, headers = '') =>
  `CONNECT\naccept-version:1.0,1.1,1.2\nAuthorization:Bearer ${token}\n${headers}\n\0`

export interface Options {
  readonly limits?: Partial<SessionLimits>
  readonly bus?: EventBus
  readonly accounts?: AccountGate
  readonly keys?: KeyReader
  readonly tickets?: TicketGate
  readonly time?: VirtualTime
  readonly connections?: number
  readonly connectionsPerUser?: number
}

/** Sessions of one process, in virtual time, without a network. */
export async function stompWorld(options: Options = {}) {
  const {
    limits = {},
    bus = inProcessBus(),
    connections = 100,
    connectionsPerUser = 10,
    time = virtualTime(),
  } = options
  let ahead = 0
  const clock: Clock = { now: () => new Date(time.clock.now().getTime() + ahead) }
  const log = recordingLog()
  const metrics = recordingMetrics()
  const ring: { current: readonly TokenKey[] } = { current: [FIRST_KEY] }
  const tokens = createTokens({ keys: ring, lifetimeSeconds: 60, clock })
  const checks: Promise<unknown>[] = []
  /** Ends each check where a test can wait for it. */
  const verify = (token: string) => {
    const check = Promise.try(() => tokens.verify(token))
    checks.push(check.catch(() => {}))
    return check
  }
  const settled = async () => {
    await Promise.all(checks)
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  }
  const broker = createBroker(bus)
  const reader = new MemoryChangeReader()
  const feed = createLiveFeed({ reader, clock: time.clock, timers: time.timers, log, memory: 0 })
  const watch = createWatch({ feed, reader, timers: time.timers })
  const admission: Admission = createAdmission(connections, connectionsPerUser)
  const ids = countingIds()
  const gate = createLiveGate({
    tokens: { verify },
    accounts: options.accounts ?? everyAccount,
    keys: createKeyGate({ keys: options.keys ?? new MemoryKeys(), accounts: ADMINS, clock, log }),
    tickets: options.tickets ?? noTickets,
  })

  function open() {
    const transport = recordingTransport()
    const parts = {
      gate,
      broker,
      watch,
      position: feed.cursor,
      admission,
      clock,
      steady: time.clock,
      timers: time.timers,
      ids,
      log,
      metrics,
      limits: { ...SESSION_LIMITS, ...limits },
    }
    const known = vi.fn()
    const session = new StompSession(parts, transport, known)
    return {
      session,
      /** Called when the client has said who it is. */
      known,
      transport,
      /** Hands bytes over and lets what they set off come to its end. */
      async say(text: string | Uint8Array) {
        session.receive(typeof text === 'string' ? Buffer.from(text) : text)
        await settled()
      },
      last: () => transport.frames.at(-1),
      commands: () => transport.frames.map(({ command }) => command),
    }
  }

  return {
    time,
    /** Sets the system's clock, by so many milliseconds. */
    setClock(milliseconds: number) {
      ahead += milliseconds
    },
    /** Replaces the keys that verify. */
    useKeys(...keys: readonly TokenKey[]) {
      ring.current = keys
    },
    log,
    metrics,
    broker,
    bus,
    feed,
    reader,
    open,
    async connected(name = 'alice', role = 'ROLE_USER', headers = '') {
      const client = open()
      await client.say(connectWith(tokenOf(name, role), headers))
      return client
    },
    connectWith,
  }
}
