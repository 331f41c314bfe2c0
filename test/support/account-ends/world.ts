import { randomUUID } from 'node:crypto'
import { dynamoSessionStore, dynamoTicketStore } from '../../../lib/adapters/dynamodb/sessions.ts'
import { dynamoLoginEnds, dynamoUserStore } from '../../../lib/adapters/dynamodb/users.ts'
import { ldapDirectory } from '../../../lib/adapters/ldap/directory.ts'
import { confirming, createAccountGate } from '../../../lib/auth/account-gate.ts'
import { type AccountState, type AccountStates, createAccountStates } from '../../../lib/auth/account-states.ts'
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
import { loadConfig } from '../../../lib/runtime/config.ts'
import { createAdmission } from '../../../lib/runtime/limits.ts'
import { ldapSettings } from '../../../lib/runtime/settings/ldap.ts'
import { createStompSessions } from '../../../lib/stomp/sessions.ts'
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
import { bearerField, connect, openStream } from '../grpc-client.ts'
import { BASE, SERVICE } from '../people.ts'
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
  const gateOfFunction = createAccountGate(states, clock)
  const trail = recordingTrail(clock, log)
  const changing = { ...edge, checks: { session, bearer: confirming(bearer, gateOfFunction) }, trail }
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
  const stomp = createStompSessions({
    bus: inProcessBus(),
    gate: createLiveGate({ tokens, accounts, tickets: createTicketGate({ tickets, sessions, clock }) }),
    admission: createAdmission(1000, 10),
    random: () => 0,
    watch,
    position: feed.cursor,
    clock,
    steady: clock,
    timers,
    ids: countingIds(),
    log,
    metrics: recordingMetrics(),
    limits: SESSION_LIMITS,
  })

  /** A STOMP session; nothing was heard if the credentials were refused. */
  async function openStomp(authorization: string) {
    const transport = recordingTransport()
    const opened = stomp.open(transport, () => {})
    const say = (text: string) => opened.receive(Buffer.from(`${text}\0`))
    say(`CONNECT\naccept-version:1.2\nhost:x\nAuthorization:${authorization}\n\n`)
    await until(() => transport.frames.length > 0)
    say('SUBSCRIBE\nid:0\ndestination:/user/queue/inbox\nack:auto\n\n')
    return {
      send: (body: string) => say(`SEND\ndestination:/user/queue/inbox\n\n${body}`),
      heard: () => transport.frames.filter(({ command }) => command === 'MESSAGE').map(({ body }) => body),
      /** The status of the token, or the reason, that the session ended with. */
      ended(): string | undefined {
        const error = transport.frames.find(({ command }) => command === 'ERROR')
        return error && (error.headers['token-status'] ?? JSON.parse(error.body).details?.reason)
      },
    }
  }

  async function openWatch(token: string) {
    let reason: string | undefined
    const { messages, ended } = openStream(
      WebhookEventService.method.watchWebhookEvents,
      {},
      bearerField(token),
      client,
    )
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
    states,
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
    changesWith: (headers: Record<string, string>) => call(changes, 'DELETE', `/api/users/${randomUUID()}`, headers),
    openStomp,
    openWatch,
    database: await databaseEntries(documents, TABLES.users, clock, names.database),
    directory: slapd && directoryEntries(slapd),
    /** `ADMIN_IDENTITIES`. */
    admins,
    async stop() {
      client.close()
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
  const { LDAP_GROUP_ROLES: groupRoles } = loadConfig({ LDAP_GROUP_ROLES: ldapSettings.LDAP_GROUP_ROLES }, [], {})
  const service = { current: SERVICE }
  return ldapDirectory({ url: new URL(ldap), startTls: false, ca: undefined, service, base: BASE, groupRoles })
}
