import { randomUUID } from 'node:crypto'
import { dynamoKeyReader } from '../../../lib/adapters/dynamodb/keys.ts'
import { dynamoSessionStore, dynamoTicketStore } from '../../../lib/adapters/dynamodb/sessions.ts'
import { dynamoLoginEnds, dynamoUserStore } from '../../../lib/adapters/dynamodb/users.ts'
import { ldapDirectory } from '../../../lib/adapters/ldap/directory.ts'
import { confirming, createAccountGate } from '../../../lib/auth/account-gate.ts'
import { type AccountState, type AccountStates, createAccountStates } from '../../../lib/auth/account-states.ts'
import { createKeyGate } from '../../../lib/auth/keys/gate.ts'
import { createLiveGate } from '../../../lib/auth/live/gate.ts'
import { createTicketGate, issueTicket } from '../../../lib/auth/live/ticket.ts'
import { createSessions, principalOf, sessionKey } from '../../../lib/auth/session.ts'
import { bearerCheck, createTokens } from '../../../lib/auth/token.ts'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { serve } from '../../../lib/grpc/serve.ts'
import { createGrpcServer } from '../../../lib/grpc/server.ts'
import { watchWebhookEvents } from '../../../lib/grpc/services/webhook-events.ts'
import { type ChangingContext, endpoint, type GuardedContext, type LambdaHandler } from '../../../lib/http/endpoint.ts'
import { noContent } from '../../../lib/http/message.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { createAdmission } from '../../../lib/runtime/limits.ts'
import { createStompSessions } from '../../../lib/stomp/sessions.ts'
import { createWebSockets } from '../../../lib/stomp/web-sockets.ts'
import { createEventStreams, STREAM_PATH } from '../../../lib/stream/event-streams.ts'
import { createHttpServer } from '../../../lib/stream/server.ts'
import { highestRole } from '../../../lib/users/role.ts'
import { createLiveFeed } from '../../../lib/webhooks/live/feed.ts'
import { createWatch } from '../../../lib/webhooks/live/watch.ts'
import { WebhookEventService } from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { ENGINE, emulatedStore, TABLES } from '../emulated-store.ts'
import { anonymousFor } from '../fakes/anonymous.ts'
import { inProcessBus } from '../fakes/bus.ts'
import { MemoryChangeReader } from '../fakes/change-reader.ts'
import { fixedClock } from '../fakes/clock.ts'
import { httpEvent, lambdaContext } from '../fakes/http.ts'
import { countingIds } from '../fakes/ids.ts'
import { FIRST_KEY } from '../fakes/jwt.ts'
import { recordingLog } from '../fakes/log.ts'
import { recordingMetrics } from '../fakes/metrics.ts'
import { SESSION_LIMITS } from '../fakes/session-limits.ts'
import { virtualTime } from '../fakes/timers.ts'
import { recordingTrail } from '../fakes/trail.ts'
import { recordingTransport } from '../fakes/transport.ts'
import { bearerField, connect, type Fields, openStream } from '../grpc-client.ts'
import { ldapOptions } from '../ldap-options.ts'
import type { Slapd } from '../slapd.ts'
import { databaseEntries } from './database.ts'
import { directoryEntries, startManagedSlapd } from './directory.ts'

export const LIFETIME_SECONDS = 3600

/**
 * The parts of the product that let somebody in or keep them in, in one process: sessions, the chain around endpoints, the
 * gRPC server and STOMP sessions, over the emulated tables and OpenLDAP. Their clock begins a little before the real one,
 * which is that of the directory, and goes on when it is told to.
 */
export async function accountWorld(names: {
  readonly database: readonly string[]
  readonly directory: readonly string[]
}) {
  const time = virtualTime(fixedClock(new Date(Date.now() - 5000)))
  const { clock, timers } = time
  const log = recordingLog()
  const store = await emulatedStore(ENGINE)
  const { documents } = store
  const slapd = names.directory.length > 0 ? await startManagedSlapd(names.directory) : undefined
  const directory = slapd && directoryOf(slapd)
  const admins: string[] = []
  const { states, quiet } = counted(
    createAccountStates({
      users: dynamoUserStore(documents, TABLES.users),
      ends: dynamoLoginEnds(documents, TABLES.users),
      directory: async () => directory,
      stores: ['database', 'directory'],
      admins,
    }),
  )
  const sessionStore = dynamoSessionStore(documents, TABLES.sessions)
  const tickets = dynamoTicketStore(documents, TABLES.sessions)
  const sessions = createSessions({
    store: sessionStore,
    clock,
    idleSeconds: 1800,
    maximumSeconds: 43_200,
    accounts: states,
  })
  const tokens = createTokens({ keys: { current: [FIRST_KEY] }, lifetimeSeconds: LIFETIME_SECONDS, clock })

  const bearer = bearerCheck(tokens)
  async function session(id: string) {
    const found = await sessions.use(id)
    return found && principalOf(found, sessions.expiresAt(found))
  }
  const edge: GuardedContext & ChangingContext = {
    clock,
    log,
    baseUrl: new URL('http://localhost:3000'),
    trustedOrigins: [],
    trustedProxies: NO_NETWORKS,
    profile: 'default',
    checks: { bearer, session },
    permits: () => true,
    findSession: sessions.use,
  }
  const keys = createKeyGate({ keys: dynamoKeyReader(documents, TABLES.keys), accounts: states, clock, log })
  const gateOfFunction = createAccountGate(states, clock)
  const trail = recordingTrail(clock, log)
  const changing = { ...edge, checks: { session, bearer: confirming(bearer, gateOfFunction) }, trail }
  const making = { ...changing, checks: { session, bearer: confirming(bearer, createAccountGate(states, clock, 0)) } }
  const makes = endpoint(ROUTES.keysCreate, making, noContent)
  const lists = endpoint(ROUTES.webhookEvents, { ...edge, checks: { ...edge.checks, key: keys.check } }, noContent)
  const reads = endpoint(ROUTES.adminSecure, edge, noContent)
  const changes = endpoint(ROUTES.usersDelete, changing, noContent)
  async function call(handler: LambdaHandler, method: string, path: string, headers: Record<string, string>) {
    const { statusCode, body } = await handler(httpEvent({ method, path, headers }), lambdaContext())
    return body ? `${statusCode} ${JSON.parse(body).details?.tokenStatus ?? ''}`.trim() : `${statusCode}`
  }

  const reader = new MemoryChangeReader()
  const feed = createLiveFeed({ reader, clock, timers, log, memory: 0 })
  const watch = createWatch({ feed, reader, timers })
  const accounts = createAccountGate(states, clock)
  const grpc = createGrpcServer({
    services: [
      serve(WebhookEventService, {
        watchWebhookEvents: (request, given) => watchWebhookEvents(watch, clock, request, given),
      }),
    ],
    check: bearer,
    accounts,
    keys,
    anonymous: { connections: anonymousFor(), streams: anonymousFor(), calls: anonymousFor() },
    connectionAge: 86_400_000,
    random: () => 0,
    clock,
    timers,
    log,
    metrics: recordingMetrics(),
    trail,
  })
  const client = connect(`127.0.0.1:${await grpc.listen('127.0.0.1', 0)}`)
  const live = {
    gate: createLiveGate({ tokens, accounts, keys, tickets: createTicketGate({ tickets, sessions, clock }) }),
    admission: createAdmission(1000, 1000),
    ...{ random: () => 0, watch, clock, timers, log, metrics: recordingMetrics() },
  }
  const stomp = createStompSessions({
    ...live,
    bus: inProcessBus(),
    position: feed.cursor,
    steady: clock,
    ids: countingIds(),
    limits: SESSION_LIMITS,
  })
  const origins = { baseUrl: edge.baseUrl, trustedOrigins: [] }
  const http = createHttpServer({
    streams: createEventStreams({ ...live, ...origins }),
    webSockets: createWebSockets({ ...live, ...origins, sessions: stomp, bodyBytes: SESSION_LIMITS.bodyBytes }),
    anonymous: anonymousFor(),
    baseUrl: edge.baseUrl,
    listensOn: '127.0.0.1',
    timers,
  })
  const streamUrl = `http://127.0.0.1:${await http.listen('127.0.0.1', 0)}${STREAM_PATH}`

  const leaving = new AbortController()

  /** A stream of server-sent events; it is over at once if the credentials were refused. */
  async function openSse(headers: Readonly<Record<string, string>>) {
    const { body, status } = await fetch(streamUrl, { headers, signal: leaving.signal })
    let isOver = status !== 200
    const over = () => {
      isOver = true
    }
    body?.pipeTo(new WritableStream()).then(over, over)
    return { isOpen: () => !isOver }
  }

  /** A STOMP session; nothing was heard if the credentials were refused. @param credentials a header line */
  async function openStomp(credentials: string) {
    const transport = recordingTransport()
    const opened = stomp.open(transport, () => {})
    const say = (text: string) => opened.receive(Buffer.from(`${text}\0`))
    const line = /^(?:Bearer|Ticket) /.test(credentials) ? `Authorization:${credentials}` : credentials
    say(`CONNECT\naccept-version:1.2\nhost:x\n${line}\n\n`)
    await until(() => transport.frames.length > 0)
    const destination = credentials.startsWith('x-api-key') ? '/topic/webhooks' : '/user/queue/inbox'
    say(`SUBSCRIBE\nid:0\ndestination:${destination}\nack:auto\n\n`)
    return {
      send: (body: string) => say(`SEND\ndestination:/user/queue/inbox\n\n${body}`),
      heard: () => transport.frames.filter(({ command }) => command === 'MESSAGE').map(({ body }) => body),
      isOpen: () => !transport.frames.some(({ command }) => command === 'ERROR'),
      /** The status of the token, or the reason, that the session ended with. */
      ended(): string | undefined {
        const error = transport.frames.find(({ command }) => command === 'ERROR')
        return error && (error.headers['token-status'] ?? JSON.parse(error.body).details?.reason)
      },
    }
  }

  async function openWatch(token: string, fields: Fields = bearerField(token)) {
    let reason: string | undefined
    const { messages, ended } = openStream(WebhookEventService.method.watchWebhookEvents, {}, fields, client)
    const over = ended.then(({ rich, code }) => {
      reason = rich?.reason ?? code
    })
    await Promise.race([until(() => messages.length > 0), over])
    return { ended: () => reason }
  }

  const account = {
    /** The account that a login by a name finds now. */
    find: (name: string): Promise<AccountState | undefined> =>
      name.includes(':') ? states.find(name) : states.findByName(name),
    token: ({ username, uid, roles }: AccountState) => tokens.issue(username, highestRole(roles) ?? 'ROLE_USER', uid),
    /** As somebody else with our key makes one. */
    foreignToken: ({ username }: AccountState) => tokens.issue(username, 'ROLE_ADMIN'),
    session: async ({ username, uid, roles }: AccountState) =>
      (await sessions.start({ username, uid, roles, authType: 'FORM', principalType: 'DatabaseUser' })).id,
    ticket: async (sessionId: string) => (await issueTicket({ tickets, clock }, sessionKey(sessionId))).ticket,
    endAll: (state: AccountState) => sessions.endAll(state.uid),
  }

  return {
    time,
    documents,
    states,
    sessions,
    account,
    sessionStore,
    /** Lets time pass in steps in which what it sets off comes to its end. */
    async pass(milliseconds: number, step = 5000) {
      for (let left = milliseconds; left > 0; left -= step) {
        time.pass(Math.min(step, left))
        await quiet()
      }
    },
    readsWith: (headers: Record<string, string>) => call(reads, 'GET', '/api/admin/secure', headers),
    listsWith: (headers: Record<string, string>) => call(lists, 'GET', '/api/webhooks/events', headers),
    makesWith: (headers: Record<string, string>) => call(makes, 'POST', '/api/keys', headers),
    changesWith: (headers: Record<string, string>) => call(changes, 'DELETE', `/api/users/${randomUUID()}`, headers),
    openSse,
    openStomp,
    openWatch,
    database: await databaseEntries(documents, TABLES.users, clock, names.database),
    directory: slapd && directoryEntries(slapd),
    /** `ADMIN_IDENTITIES`. */
    admins,
    async stop() {
      client.close()
      leaving.abort()
      // The sessions of recorded transports never say that they have gone.
      void http.drain(0)
      time.pass(0)
      await grpc.drain(0)
      await store.stop()
      await slapd?.stop()
    },
  }
}

export type AccountWorld = Awaited<ReturnType<typeof accountWorld>>

/** Waits for what real input and output bring, at most two seconds. */
export async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 2000; !isSo() && Date.now() < end; ) await new Promise((next) => setTimeout(next, 2))
}

/** The states, and a wait for every look at them that is under way. */
function counted(states: AccountStates) {
  let running = 0
  async function look<T>(answer: Promise<T>): Promise<T> {
    running += 1
    try {
      return await answer
    } finally {
      running -= 1
    }
  }
  return {
    states: {
      ...states,
      look: (account: Parameters<AccountStates['look']>[0]) => look(states.look(account)),
      find: (uid: string) => look(states.find(uid)),
      findByName: (name: string) => look(states.findByName(name)),
    },
    async quiet() {
      do await new Promise(setImmediate)
      while (running > 0)
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    },
  }
}

function directoryOf({ ldap }: Slapd) {
  return ldapDirectory(ldapOptions(ldap))
}
