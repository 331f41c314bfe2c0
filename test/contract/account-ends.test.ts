import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountState } from '../../lib/auth/account-states.ts'
import type { Change } from '../support/account-ends/entries.ts'
import { type AccountWorld, accountWorld, LIFETIME_SECONDS, until } from '../support/account-ends/world.ts'
import { hasSlapd } from '../support/slapd.ts'

type Case = Change | 'logout everywhere'
type Store = 'database' | 'directory' | 'provider'

/** Why a store does not know a case, and the fact behind that. */
interface Absent {
  readonly because: string
  readonly fact: (world: AccountWorld) => Promise<void>
}

/** What the session is answered at the next request: 401 when it is over, 403 when it has lost the role. */
type Cell = 401 | 403 | Absent

const ANYBODY = 'google:nobody-ever-came'

/** Nobody can ask a provider about its users: whatever happens to them there, here they are as they were. */
const untold = (because: string): Absent => ({
  because,
  async fact({ states }) {
    expect(await states.find(ANYBODY)).toEqual({ uid: ANYBODY, username: ANYBODY, roles: ['ROLE_USER'] })
  },
})

const TABLE: Readonly<Record<Case, Readonly<Record<Store, Cell>>>> = {
  'role removed': {
    database: 403,
    directory: 403,
    provider: untold('everybody who comes from a provider has at least ROLE_USER'),
  },
  // At a provider: no longer in ADMIN_IDENTITIES.
  demoted: { database: 403, directory: 403, provider: 403 },
  'password changed': { database: 401, directory: 401, provider: untold('the provider keeps the password') },
  disabled: { database: 401, directory: 401, provider: untold('the provider does not say who is disabled') },
  deleted: { database: 401, directory: 401, provider: untold('the provider does not say who is gone') },
  'name given away': {
    database: 401,
    directory: 401,
    provider: untold('the name is the subject, which a provider gives to one person only'),
  },
  'logout everywhere': { database: 401, directory: 401, provider: 401 },
}

/** Cases after which somebody can log in under the name, and be sent messages. */
const GOING_ON: readonly Case[] = ['demoted', 'password changed', 'name given away', 'logout everywhere']

const ROWS = Object.entries(TABLE).flatMap(([what, cells]) =>
  Object.entries(cells).map(([store, cell]) => ({ what: what as Case, store: store as Store, cell })),
)
const isOf =
  (store: Store) =>
  ({ store: other, cell }: (typeof ROWS)[number]) =>
    store === other && typeof cell === 'number'
const nameOf = ({ what, store }: { readonly what: Case; readonly store: Store }) =>
  `${store === 'provider' ? 'google:' : ''}${store}-${what.replaceAll(' ', '-')}`

const isSlapdHere = hasSlapd()
const HELD = ROWS.filter(({ store, cell }) => typeof cell === 'number' && (isSlapdHere || store !== 'directory'))

/** What an account had open, and what it was answered as time went on. */
type Course = Awaited<ReturnType<typeof livedThrough>> extends ReadonlyMap<string, infer C> ? C : never

const SECOND = 1000
const NEWS = 'for the present owner of the name'

let world: AccountWorld
let courses: ReadonlyMap<string, Course>

const cookie = (id: string) => ({ cookie: `JSESSIONID=${id}` })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

beforeAll(async () => {
  const names = (store: Store) => HELD.filter(isOf(store)).map(nameOf)
  world = await accountWorld({ database: names('database'), directory: names('directory') })
  world.admins.push(...names('provider'))
  courses = await livedThrough()
})
afterAll(() => world.stop())

/** All rows at once: their changes happen in one moment of the clock. */
async function livedThrough() {
  const { account, pass, readsWith, changesWith } = world
  const each = <T>(work: (row: (typeof HELD)[number], index: number) => Promise<T>) => Promise.all(HELD.map(work))
  const held = await each(async (row) => {
    const state = await world.account.find(nameOf(row))
    if (!state) throw new Error(`nobody is ${nameOf(row)}`)
    const token = await account.token(state)
    return { state, token, foreign: await account.foreignToken(state), session: await account.session(state) }
  })
  const of = (index: number) => held[index] as (typeof held)[number]
  const open = await each(async (_, index) => ({
    watch: await world.openWatch(of(index).token),
    stomp: await world.openStomp(`Bearer ${of(index).token}`),
    ticket: await world.openStomp(`Ticket ${await account.ticket(of(index).session)}`),
  }))
  const opened = (index: number) => open[index] as (typeof open)[number]
  const before = await each(async (_, index) => {
    const { session, token, foreign } = of(index)
    opened(index).stomp.send('for me')
    await until(() => opened(index).stomp.heard().length > 0)
    return Promise.all([readsWith(cookie(session)), ...[token, foreign].map((one) => changesWith(bearer(one)))])
  })

  await pass(SECOND)
  await each(({ what, store }, index) => change(what, store, of(index).state))
  const session = await each((_, index) => readsWith(cookie(of(index).session)))
  await pass(5 * SECOND)
  const changing = await each((_, index) => changesWith(bearer(of(index).token)))
  const foreign = await each((_, index) => changesWith(bearer(of(index).foreign)))
  await pass(15 * SECOND)
  const again = await each(async (_, index) => (await world.openStomp(`Bearer ${of(index).token}`)).ended())
  const next = await each(async (row) => {
    const state = GOING_ON.includes(row.what) ? await account.find(nameOf(row)) : undefined
    const client = state && (await world.openStomp(`Bearer ${await account.token(state)}`))
    if (row.what === 'name given away') client?.send(NEWS)
    await until(() => row.what !== 'name given away' || client?.heard().length === 1)
    return client
  })
  await pass(40 * SECOND)
  await until(() => open.every((each) => Object.values(each).every((one) => one.ended() !== undefined)))
  await each(async ({ what }, index) => {
    const client = next[index]
    if (what !== 'name given away') client?.send(NEWS)
    await until(() => !client || client.heard().length === 1)
  })
  const ends = open.map(({ watch, stomp, ticket }) => ({
    stream: watch.ended(),
    stomp: stomp.ended(),
    ticket: ticket.ended(),
  }))
  const heard = open.map(({ stomp }, index) => [stomp.heard(), next[index]?.heard() ?? []])
  await pass((LIFETIME_SECONDS - 62) * SECOND, 600 * SECOND)
  const last = await each((_, index) => readsWith(bearer(of(index).token)))
  await pass(SECOND)
  const over = await each((_, index) => readsWith(bearer(of(index).token)))
  return new Map(
    HELD.map((row, index) => [
      nameOf(row),
      {
        before: before[index],
        session: session[index],
        changing: changing[index],
        foreign: foreign[index],
        again: again[index],
        ...ends[index],
        heard: heard[index],
        reading: [last[index], over[index]],
      },
    ]),
  )
}

async function change(what: Case, store: Store, state: AccountState): Promise<void> {
  if (what === 'logout everywhere') await world.account.endAll(state)
  else if (store !== 'provider') await world[store]?.[what](state.username)
  else world.admins.splice(world.admins.indexOf(state.uid), 1)
}

describe.each(ROWS)('B18 an account of the $store: $what', (row) => {
  const { cell, store, what } = row
  if (typeof cell !== 'number') {
    it(`does not exist here: ${cell.because}`, () => cell.fact(world))
    return
  }
  // The session at the next request; changing calls five seconds later, also with a token that another service signed with
  // our key: without an id it is known by its name, which may still be an administrator’s; a gRPC stream and a STOMP session
  // within 60 seconds; reading calls with the token.
  it.runIf(isSlapdHere || store !== 'directory')(
    'S14, S23 ends all that the account had open, each in its time',
    () => {
      expect(courses.get(nameOf(row))).toEqual({
        // A user of a provider has no name by which a token could be looked up.
        before: ['204', '204', store === 'provider' ? '401 REVOKED' : '204'],
        session: String(cell),
        changing: '401 REVOKED',
        foreign: '401 REVOKED',
        stream: 'TOKEN_REVOKED',
        stomp: 'REVOKED',
        ticket: cell === 401 ? 'Session ended' : 'Role changed',
        // /user/queue cannot be subscribed any more, and nobody but the present owner of the name is sent its messages.
        again: 'REVOKED',
        heard: [['for me'], GOING_ON.includes(what) ? [NEWS] : []],
        reading: ['204', '401 EXPIRED'],
      })
    },
  )
})
