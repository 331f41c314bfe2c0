import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoKeyAdministration } from '../../lib/adapters/dynamodb/keys.ts'
import { dynamoPasskeyStore } from '../../lib/adapters/dynamodb/passkey-store.ts'
import { dynamoUserAdministration, dynamoUserStore } from '../../lib/adapters/dynamodb/users.ts'
import { changePassword } from '../../lib/auth/change-password.ts'
import { newCsrfToken } from '../../lib/auth/csrf.ts'
import { createKey } from '../../lib/auth/keys/manage.ts'
import { logInWithPasskey, passkeyLoginOptions } from '../../lib/auth/passkeys/login.ts'
import { principalOf, sessionKey } from '../../lib/auth/session.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { CREDENTIALS, type Credential, createForget } from '../../lib/users/credentials.ts'
import { changeUser, removeUser } from '../../lib/users/manage.ts'
import { type AccountWorld, accountWorld, until } from '../support/account-ends/world.ts'
import { TABLES } from '../support/emulated-store.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { MemoryChallenges } from '../support/fakes/passkeys.ts'
import { recordingLogins } from '../support/fakes/trail.ts'

type End =
  | 'own password'
  | 'own password, everything'
  | 'logout everywhere'
  | 'password by an admin'
  | 'another role'
  | 'disabled'
  | 'deleted'

/** `useless`: good again once the account is enabled. */
type Cell = 'ends' | 'stays' | 'useless'

const LOGINS = { session: 'ends', token: 'ends', ticket: 'ends' } as const

/** What each end does to each kind of credential (auth-89, the table above it). A new kind does not compile without its column. */
const TABLE: Readonly<Record<End, Readonly<Record<Credential, Cell>>>> = {
  'own password': { ...LOGINS, passkey: 'stays', key: 'stays' },
  'own password, everything': { ...LOGINS, passkey: 'ends', key: 'ends' },
  'logout everywhere': { ...LOGINS, passkey: 'stays', key: 'stays' },
  'password by an admin': { ...LOGINS, passkey: 'ends', key: 'ends' },
  'another role': { ...LOGINS, passkey: 'stays', key: 'ends' },
  disabled: { ...LOGINS, passkey: 'useless', key: 'useless' },
  deleted: { ...LOGINS, passkey: 'ends', key: 'ends' },
}

/** The channels that take each kind. */
const CHANNELS: Readonly<Record<Credential, readonly Channel[]>> = {
  session: ['HTTP'],
  token: ['HTTP', 'gRPC', 'STOMP', 'SSE'],
  ticket: ['STOMP', 'SSE'],
  passkey: ['HTTP'],
  key: ['HTTP', 'gRPC', 'STOMP', 'SSE'],
}
type Channel = 'HTTP' | 'gRPC' | 'STOMP' | 'SSE'

const ENDS = Object.keys(TABLE) as End[]
const CELLS = ENDS.flatMap((end) =>
  Object.entries(TABLE[end]).flatMap(([kind, cell]) =>
    CHANNELS[kind as Credential].map((channel) => ({ end, kind: kind as Credential, channel, cell })),
  ),
)
const nameOf = (end: End) => end.replaceAll(/\W+/g, '-')

type Shown = ReadonlyMap<string, boolean>

/** What an account's credentials are answered: each as it comes in anew, and what each has open. */
interface Course {
  readonly before: Shown
  readonly mayMake: readonly string[]
  /** At once after the end, without any window. */
  readonly makes: readonly string[]
  readonly atOnce: Shown
  /** 20 seconds later: no look at an account or a key is older. */
  readonly later: Shown
  /** A minute after the end. */
  readonly open: Shown
  /** After the account is enabled. */
  readonly enabled: Shown
}

let world: AccountWorld
const courses = new Map<End, Course>()

beforeAll(async () => {
  world = await accountWorld({ database: ['remaining', ...ENDS.map(nameOf)], directory: [] })
  const accounts = await Promise.all(ENDS.map(opened))
  const each = <T>(work: (account: Opened, end: End) => Promise<T>) =>
    Promise.all(accounts.map((account) => work(account, account.end)))
  await world.pass(1000)
  await each(({ state }, end) => bringing(state.uid)[end]())
  const makes = await each(({ make }) => make())
  const atOnce = await each(async ({ enter }) => shown(await enter()))
  await world.pass(20_000)
  const later = await each(async ({ enter }) => shown(await enter()))
  await world.pass(40_000)
  await until(() => accounts.every(({ opened: open }) => !open.get('token SSE')?.() && !open.get('token gRPC')?.()))
  const open = accounts.map(({ opened: all }) => shown(all))
  await each(async ({ state }, end) => end === 'disabled' && enable(state.uid))
  await world.pass(20_000)
  const enabled = await each(async ({ enter }) => shown(await enter()))
  for (const [index, { end, before, mayMake }] of accounts.entries()) {
    const of = <T>(all: readonly T[]) => all[index] as T
    const after = { makes: of(makes), atOnce: of(atOnce), later: of(later), open: of(open), enabled: of(enabled) }
    courses.set(end, { before, mayMake, ...after })
  }
}, 60_000)
afterAll(() => world.stop())

type Opened = Awaited<ReturnType<typeof opened>>

/** An account with one of each kind of credential, and what each has opened. */
async function opened(end: End) {
  const state = await world.account.find(nameOf(end))
  if (!state) throw new Error(`nobody is ${nameOf(end)}`)
  const { clock } = world.time
  const [session, token] = [await world.account.session(state), await world.account.token(state)]
  const kept = await world.sessions.look(sessionKey(session))
  if (!kept) throw new Error('the session is over')
  const maker = principalOf(kept, clock.now())
  const log = recordingLog()
  const passkeys = dynamoPasskeyStore(world.documents, TABLES.passkeys)
  const keys = dynamoKeyAdministration(world.documents, TABLES.keys)
  const made = { ...{ credentialId: 'c', name: 'laptop', publicKey: '', signCount: 0 }, createdAt: clock.now() }
  await passkeys.add(state.uid, { ...made, id: 'p', loginAt: kept.createdAt }, 10)
  const { key } = await createKey({ keys, ids: clockIds(clock), clock, log }, { name: 'machine' }, maker)

  async function passkeyLogsIn(): Promise<boolean> {
    const challenges = new MemoryChallenges()
    const baseUrl = new URL('http://localhost:3000')
    const { ticket } = await passkeyLoginOptions({ challenges, clock, baseUrl })
    const standing = { retryAfterSeconds: undefined } as never
    const parts = {
      ...{ passkeys, challenges, clock, log, accounts: world.states, stores: ['database'], sessions: world.sessions },
      verifier: { logIn: async () => ({ signCount: 0 }) },
      attempts: {
        standingOf: async () => standing,
        make: async (_: never, attempt: () => Promise<unknown>) => attempt(),
      },
      logins: recordingLogins(),
      noteLogin: async () => {},
    }
    const response = { userHandle: Buffer.from(state?.uid ?? '').toString('base64url') }
    const presented = { credential: { id: 'c', response }, ticket, address: '192.0.2.1', sessionId: undefined }
    return logInWithPasskey(parts as never, presented as never).then(
      () => true,
      () => false,
    )
  }

  const isIn = (answer: Promise<string>) => answer.then((text) => text === '204')
  const cookie = { cookie: `JSESSIONID=${session}` }
  const bearer = { authorization: `Bearer ${token}` }
  const apiKey = { 'x-api-key': key }
  const ticket = async () => world.account.ticket(session)
  const tickets = await Promise.all(Array.from({ length: 6 }, ticket))
  const nextTicket = () => `Ticket ${tickets.pop()}`
  const grpc = async (fields: Readonly<Record<string, string>>) => {
    const watch = await world.openWatch('', fields)
    return () => watch.ended() === undefined
  }
  const stomp = async (line: string) => (await world.openStomp(line)).isOpen
  const sse = async (headers: Readonly<Record<string, string>>) => (await world.openSse(headers)).isOpen

  /** Comes in anew: whether it is let in, and for what stays open, whether it still is. */
  const ways: Readonly<Record<Credential, Partial<Record<Channel, () => Promise<() => boolean>>>>> = {
    session: { HTTP: async () => answered(isIn(world.readsWith(cookie))) },
    token: {
      HTTP: async () => answered(isIn(world.changesWith(bearer))),
      gRPC: () => grpc(bearer),
      STOMP: () => stomp(`Bearer ${token}`),
      SSE: () => sse(bearer),
    },
    ticket: { STOMP: () => stomp(nextTicket()), SSE: () => sse({ authorization: nextTicket() }) },
    passkey: { HTTP: async () => answered(passkeyLogsIn()) },
    key: {
      HTTP: async () => answered(isIn(world.listsWith(apiKey))),
      gRPC: () => grpc(apiKey),
      STOMP: () => stomp(`x-api-key:${key}`),
      SSE: () => sse(apiKey),
    },
  }
  const enter = async () => {
    const entries = CELLS.filter((cell) => cell.end === end).map(
      async ({ kind, channel }) => [`${kind} ${channel}`, (await ways[kind][channel]?.()) ?? (() => false)] as const,
    )
    return new Map(await Promise.all(entries))
  }
  const first = await enter()
  const make = () =>
    Promise.all(
      [{ ...cookie, 'x-xsrf-token': newCsrfToken(session) }, bearer].map((credentials) => world.makesWith(credentials)),
    )
  return { end, state, opened: first, before: shown(first), enter, make, mayMake: await make() }
}

async function answered(answer: Promise<boolean>) {
  const is = await answer
  return () => is
}

function shown(all: ReadonlyMap<string, () => boolean>): Shown {
  return new Map([...all].map(([cell, is]) => [cell, is()] as const))
}

function administration() {
  const { documents, time } = world
  const users = dynamoUserAdministration(documents, { users: TABLES.users, passkeys: TABLES.passkeys })
  const keys = dynamoKeyAdministration(documents, TABLES.keys)
  const passkeys = dynamoPasskeyStore(documents, TABLES.passkeys)
  const forget = createForget({ passkey: passkeys.removeAll, key: keys.removeAll }, recordingLog())
  return { users, clock: time.clock, hash: async (text: string) => `hash of ${text}`, forget }
}

const ASKER = { uid: 'remaining', refuse: () => new Error('refused') }

const enable = (uid: string) => changeUser(administration(), uid, { enabled: true }, ASKER)

function bringing(uid: string): Readonly<Record<End, () => Promise<unknown>>> {
  const parts = administration()
  const own = (everything: boolean) => {
    const users = dynamoUserStore(world.documents, TABLES.users)
    const change = { current: 'current one', new: 'another one', everything }
    return changePassword({ ...parts, users, check: async () => ({}) as never }, { uid, address: '192.0.2.1' }, change)
  }
  return {
    'own password': () => own(false),
    'own password, everything': () => own(true),
    'logout everywhere': () => world.sessions.endAll(uid),
    'password by an admin': () => changeUser(parts, uid, { password: 'another one' }, ASKER),
    'another role': () => changeUser(parts, uid, { role: 'ROLE_USER' }, ASKER),
    disabled: () => changeUser(parts, uid, { enabled: false }, ASKER),
    deleted: () => removeUser(parts, uid, ASKER),
  }
}

/** Looked at again within the decided windows: an account after 5 seconds, a key after 20. */
const WITH_WINDOW: readonly Credential[] = ['token', 'key']

it('the table has a column for each kind of credential, and a channel', () => {
  expect(Object.keys(CHANNELS)).toEqual(Object.keys(CREDENTIALS))
  for (const end of ENDS) expect(Object.keys(TABLE[end])).toEqual(Object.keys(CREDENTIALS))
})

describe.each(ENDS)('S3 an end: %s', (end) => {
  it('lets neither session nor token make a credential from that moment on', () => {
    expect(courses.get(end)).toMatchObject({ mayMake: ['204', '204'], makes: ['401', '401 REVOKED'] })
  })

  it.each(CELLS.filter((cell) => cell.end === end))('$kind over $channel: $cell', ({ kind, channel, cell }) => {
    const seen = (when: keyof Omit<Course, 'makes' | 'mayMake'>) => courses.get(end)?.[when].get(`${kind} ${channel}`)
    const goesOn = cell === 'stays'
    expect(seen('before')).toBe(true)
    if (goesOn || !WITH_WINDOW.includes(kind)) expect(seen('atOnce')).toBe(goesOn)
    expect(seen('later')).toBe(goesOn)
    if (channel !== 'HTTP') expect(seen('open')).toBe(goesOn)
    if (end !== 'disabled') return
    expect(seen('enabled')).toBe(cell === 'useless')
  })
})
