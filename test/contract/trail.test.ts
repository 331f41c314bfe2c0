import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { GetCommand, ScanCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import { dynamoDeliveryDesk, dynamoDeliveryStore } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoEventReader, dynamoOperatorStore, dynamoPayloads } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoHealthStore } from '../../lib/adapters/dynamodb/health-store.ts'
import { dynamoKeyAdministration } from '../../lib/adapters/dynamodb/keys.ts'
import { dynamoMessageDesk, dynamoMessageReader } from '../../lib/adapters/dynamodb/messages.ts'
import { dynamoPasskeyStore } from '../../lib/adapters/dynamodb/passkey-store.ts'
import { dynamoReplays } from '../../lib/adapters/dynamodb/replays.ts'
import { dynamoAccountSessions, dynamoSessionStore } from '../../lib/adapters/dynamodb/sessions.ts'
import type { Documents } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoNameKey, dynamoTrailPages, dynamoTrailStore } from '../../lib/adapters/dynamodb/trail.ts'
import { dynamoLoginEnds, dynamoUserAdministration, dynamoUserStore } from '../../lib/adapters/dynamodb/users.ts'
import type { Passkey } from '../../lib/auth/passkeys/passkey.ts'
import type { Delivery } from '../../lib/deliver/delivery.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { type Act, during, type TrailRow } from '../../lib/trail/act.ts'
import type { TrailPages } from '../../lib/trail/list.ts'
import { createTrail, recordChange } from '../../lib/trail/trail.ts'
import type { User } from '../../lib/users/user.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import type { Replay } from '../../lib/webhooks/operators/replay.ts'
import { ENGINE, TABLES } from '../support/emulated-store.ts'
import { fixedClock, START } from '../support/fakes/clock.ts'
import { newApiKey } from '../support/fakes/keys.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { FORM_USER } from '../support/fakes/sessions.ts'
import { memoryTrailPages } from '../support/fakes/trail.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { DEED, newAct, trailRow } from '../support/trail.ts'
import { startedStore } from './stores.ts'

const store = startedStore()

/** So far away that no table clears a row away during a test: DynamoDB Local does. */
const FAR = new Date('2100-01-01T00:00:00.000Z')

const later = (seconds: number) => new Date(START.getTime() + seconds * 1000)

/** A change that takes its row along. */
interface Change {
  /** What it changes, as it stands. */
  state(): Promise<unknown>
  make(documents: Documents): Promise<unknown>
  /** What another one does, so that the condition of the change does not hold any more; absent if it has none. */
  readonly comeFirst?: () => Promise<unknown>
}

const newUser = (changes: Partial<User> = {}): User => ({
  ...{ id: randomUUID(), username: `u-${randomUUID()}`, passwordHash: 'none', roles: ['ROLE_USER'] },
  ...{ enabled: true, createdAt: START, ...changes },
})

const newPasskey = (): Passkey => ({
  ...{ id: randomUUID(), name: 'laptop', credentialId: randomUUID(), publicKey: 'pQECAyY', signCount: 0 },
  createdAt: START,
  loginAt: START,
})

const newReplay = (): Replay => ({
  ...{ replayId: randomUUID(), filter: {}, ratePerSecond: 10, user: 'admin', acceptedAt: START },
  ...{ step: 0, state: 'RUNNING', matched: 7, done: 0, failed: 0, isListed: false },
})

const lastingKey = () => newApiKey({ id: randomUUID(), expiresAt: FAR })

const ORDER = { at: later(60), user: 'admin', reason: 'again', replayId: 'r-1' }

async function storedUser() {
  const users = dynamoUserAdministration(store.documents, TABLES)
  const user = newUser()
  await users.add(user)
  await dynamoPasskeyStore(store.documents, TABLES.passkeys).add(user.id, newPasskey(), 10)
  const { find, findById } = dynamoUserStore(store.documents, TABLES.users)
  const { list } = dynamoPasskeyStore(store.documents, TABLES.passkeys)
  const state = async () => [await findById(user.id), await find(user.username), await list(user.id)]
  return { user, state, comeFirst: () => users.update(user, { roles: ['ROLE_ADMIN'], validAfter: later(1) }) }
}

async function storedEvent(changes: Partial<WebhookEvent> = { nextRetryAt: undefined, dead: true }) {
  const event = failedEvent({ eventId: randomUUID(), payload: Buffer.from('body'), ...changes })
  await dynamoEventStore(store.documents, TABLES).insert(event, {})
  const { find } = dynamoEventReader(store.documents, TABLES.events)
  return { event, state: () => find(event) }
}

function deletionOf({ event, state }: Awaited<ReturnType<typeof storedEvent>>, isForced: boolean): Change {
  const order = { at: later(60), isForced }
  const by = (documents: Documents, user: string) =>
    dynamoPayloads(documents, TABLES.events).deleteOrdered(event, { ...order, user })
  return { state, make: (documents) => by(documents, 'admin'), comeFirst: () => by(store.documents, 'another') }
}

function newDelivery() {
  const delivery: Delivery = {
    ...{ source: 'test', eventId: randomUUID(), destination: 'crm', id: 7n, eventType: 'TEST', receivedAt: START },
    ...{ status: 'PENDING', attempts: 0, history: [], endsAt: FAR },
  }
  const desk = dynamoDeliveryDesk(store.documents, TABLES.deliveries)
  return { delivery, desk, state: () => desk.of(delivery) }
}

function keysOf(id: string) {
  const keys = dynamoKeyAdministration(store.documents, TABLES.keys)
  return { keys, state: () => keys.find(id) }
}

function passkeysOf(uid: string) {
  const passkeys = dynamoPasskeyStore(store.documents, TABLES.passkeys)
  return { passkeys, state: () => passkeys.list(uid) }
}

function endsOf(uid: string, state: Change['state']): Change {
  return {
    state,
    make: (documents) => dynamoLoginEnds(documents, TABLES.users).end(uid, later(10)),
    comeFirst: () => dynamoLoginEnds(store.documents, TABLES.users).end(uid, later(20)),
  }
}

function newSession() {
  const session = { ...FORM_USER, uid: randomUUID(), key: randomUUID(), createdAt: START, lastSeenAt: START }
  const sessions = dynamoSessionStore(store.documents, TABLES.sessions)
  return { session, sessions, state: () => sessions.find(session.key) }
}

const CHANGES: Readonly<Record<string, () => Promise<Change> | Change>> = {
  'a new user': () => {
    const user = newUser()
    return {
      state: () => dynamoUserStore(store.documents, TABLES.users).findById(user.id),
      make: (documents) => dynamoUserAdministration(documents, TABLES).add(user),
      comeFirst: () => dynamoUserAdministration(store.documents, TABLES).add({ ...user, id: randomUUID() }),
    }
  },
  'a change of a user': async () => {
    const { user, ...rest } = await storedUser()
    const make = (documents: Documents) =>
      dynamoUserAdministration(documents, TABLES).update(user, { enabled: false, validAfter: later(2) })
    return { ...rest, make }
  },
  'a change of an admin, with another admin who remains': async () => {
    const { user, state } = await storedUser()
    const other = newUser({ roles: ['ROLE_ADMIN'] })
    const users = dynamoUserAdministration(store.documents, TABLES)
    await users.add(other)
    return {
      state,
      make: (documents) =>
        dynamoUserAdministration(documents, TABLES).update(user, { enabled: false, validAfter: later(2) }, other),
      comeFirst: () => users.update(other, { enabled: false, validAfter: later(1) }),
    }
  },
  'the end of a user': async () => {
    const { user, ...rest } = await storedUser()
    return { ...rest, make: (documents) => dynamoUserAdministration(documents, TABLES).remove(user) }
  },
  'a new password': async () => {
    const { user, state } = await storedUser()
    return {
      state,
      make: (documents) =>
        dynamoUserStore(documents, TABLES.users).setPassword(user, { passwordHash: 'new', validAfter: later(10) }),
      comeFirst: () => dynamoLoginEnds(store.documents, TABLES.users).end(user.id, later(5)),
    }
  },
  'the end of all logins of a user': async () => {
    const { user, state } = await storedUser()
    return endsOf(user.id, state)
  },
  'the end of all logins of another store’s account': () => {
    const uid = `ldap:${randomUUID()}`
    return endsOf(uid, () => dynamoLoginEnds(store.documents, TABLES.users).find(uid))
  },
  'a new session': () => {
    const { session, state } = newSession()
    return { state, make: (documents) => dynamoSessionStore(documents, TABLES.sessions).put(session, FAR) }
  },
  'the end of an own session': async () => {
    const { session, sessions, state } = newSession()
    await sessions.put(session, FAR)
    return {
      state,
      make: (documents) => dynamoAccountSessions(documents, TABLES.sessions).remove(session.uid, session.key),
      comeFirst: () => sessions.put({ ...session, uid: randomUUID() }, FAR),
    }
  },
  'a new key': () => {
    const { key } = lastingKey()
    const { keys, state } = keysOf(key.id)
    return {
      state,
      make: (documents) => dynamoKeyAdministration(documents, TABLES.keys).add(key),
      comeFirst: () => keys.add({ ...key, name: 'another' }),
    }
  },
  'the end of a key': async () => {
    const { key } = lastingKey()
    const { keys, state } = keysOf(key.id)
    await keys.add(key)
    return {
      state,
      make: (documents) => dynamoKeyAdministration(documents, TABLES.keys).remove(key.id),
      comeFirst: () => keys.remove(key.id),
    }
  },
  'a new passkey': () => {
    const [uid, passkey] = [randomUUID(), newPasskey()]
    const { passkeys, state } = passkeysOf(uid)
    return {
      state,
      make: (documents) => dynamoPasskeyStore(documents, TABLES.passkeys).add(uid, passkey, 10),
      comeFirst: () => passkeys.add(uid, { ...passkey, name: 'another' }, 10),
    }
  },
  'the end of a passkey': async () => {
    const [uid, passkey] = [randomUUID(), newPasskey()]
    const { passkeys, state } = passkeysOf(uid)
    await passkeys.add(uid, passkey, 10)
    return {
      state,
      make: (documents) => dynamoPasskeyStore(documents, TABLES.passkeys).remove(uid, passkey.id),
      comeFirst: () => passkeys.remove(uid, passkey.id),
    }
  },
  'the retry of an event': async () => {
    const { event, state } = await storedEvent()
    return {
      state,
      make: (documents) => dynamoOperatorStore(documents, TABLES.events).reset(event, ORDER),
      comeFirst: () => dynamoOperatorStore(store.documents, TABLES.events).reset(event, { ...ORDER, user: 'another' }),
    }
  },
  'the deletion of a payload': async () => deletionOf(await storedEvent(), false),
  'the deletion of a payload, by force': async () => deletionOf(await storedEvent({ dead: false }), true),
  'a new delivery': () => {
    const { delivery, desk, state } = newDelivery()
    return {
      state,
      make: (documents) => dynamoDeliveryDesk(documents, TABLES.deliveries).create(delivery, ORDER),
      comeFirst: () => desk.create(delivery, { ...ORDER, user: 'another' }),
    }
  },
  'the retry of a delivery': async () => {
    const { delivery, desk, state } = newDelivery()
    await desk.create(delivery, { at: START, user: 'admin' })
    const now = later(50)
    const claim = { ...delivery, n: 0, owner: 'worker', now, leaseUntil: later(100) }
    return {
      state,
      make: (documents) => dynamoDeliveryDesk(documents, TABLES.deliveries).order(delivery, ORDER),
      comeFirst: () => dynamoDeliveryStore(store.documents, TABLES.deliveries).claim(claim),
    }
  },
  'a change of the health of a destination': () => {
    const name = randomUUID()
    const { read, change } = dynamoHealthStore(store.documents, TABLES.deliveries)
    return {
      state: () => read(name),
      make: (documents) =>
        dynamoHealthStore(documents, TABLES.deliveries, async () => {}).change(name, (health) =>
          health.state === 'DISABLED' ? undefined : { ...health, state: 'DISABLED', by: 'admin' },
        ),
      comeFirst: () => change(name, (health) => ({ ...health, state: 'DISABLED', by: 'another' })),
    }
  },
  'a new replay': () => {
    const replay = newReplay()
    const { find, create } = dynamoReplays(store.documents, TABLES.replays)
    return {
      state: () => find(replay.replayId),
      make: (documents) => dynamoReplays(documents, TABLES.replays).create(replay),
      comeFirst: () => create({ ...replay, user: 'another' }),
    }
  },
  'a message': () => {
    const row = { at: FAR.getTime(), origin: randomUUID(), number: 1, after: 0, content: 'hello' }
    const { since } = dynamoMessageReader(store.documents, TABLES.messages)
    return {
      state: async () => (await since(row.at, row.at, '')).filter(({ origin }) => origin === row.origin),
      make: (documents) => dynamoMessageDesk(documents, TABLES.messages).put(row),
    }
  },
}

/** The row of an id, as the table has it. */
async function itemOf({ row: { id } }: Act) {
  const get = new GetCommand({ TableName: TABLES.audit, Key: { id }, ConsistentRead: true })
  return (await store.documents.send(get)).Item
}

async function countRows(): Promise<number> {
  const { Count = 0 } = await store.documents.send(new ScanCommand({ TableName: TABLES.audit, Select: 'COUNT' }))
  return Count
}

/** The store, in which somebody else comes before the first transaction. */
function overtaken(comeFirst: () => Promise<unknown>): Documents {
  const elsewhere = AsyncLocalStorage.snapshot()
  let isFirst = true
  const send = async (command: never) => {
    if ((command as unknown) instanceof TransactWriteCommand && isFirst) {
      isFirst = false
      await elsewhere(comeFirst)
    }
    return store.documents.send(command)
  }
  return { send } as unknown as Documents
}

describe.each(Object.entries(CHANGES))('A01 %s', (_, prepare) => {
  it('and its row are stored together', async () => {
    const { state, make } = await prepare()
    const before = await state()
    const act = newAct(TABLES.audit)
    await during(act, () => make(store.documents))
    expect(await state()).not.toEqual(before)
    expect(await itemOf(act)).toMatchObject({ action: act.row.action, outcome: 'done' })
    expect(act.isStored).toBe(true)
  })

  it('does not happen where its action has a row already, as one that failed has', async () => {
    const { state, make } = await prepare()
    const before = await state()
    const act = newAct(TABLES.audit)
    await dynamoTrailStore(store.documents, TABLES.audit).put({ ...act.row, outcome: 'failed', error: 'UNAVAILABLE' })
    await expect(during(act, () => make(store.documents))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await state()).toEqual(before)
    expect(await itemOf(act)).toMatchObject({ outcome: 'failed' })
    expect(act.isStored).toBe(false)
  })
})

const UNCONDITIONAL = ['a new session', 'a message']

describe('A01 a change whose condition does not hold any more', () => {
  it.each(Object.entries(CHANGES).filter(([name]) => !UNCONDITIONAL.includes(name)))(
    'leaves neither the change nor a row: %s',
    async (_, prepare) => {
      const { state, make, comeFirst } = await prepare()
      const left: unknown[] = []
      const documents = overtaken(async () => {
        await comeFirst?.()
        left.push(await state())
      })
      const act = newAct(TABLES.audit)
      await during(act, () => make(documents)).catch(({ message }) => expect(message).toContain('is taken'))
      expect([await state()]).toEqual(left)
      expect([await itemOf(act), act.isStored]).toEqual([undefined, false])
    },
  )
})

/** Becomes of a transaction whose answer the caller does not hear. */
type Fate = 'arrives' | 'is lost' | 'arrives late'

/** The store, from which no transaction has an answer in time; those that arrive late wait for {@link arrive}. */
function deaf(fate: Fate) {
  const waiting: (() => Promise<unknown>)[] = []
  const send = async (command: never) => {
    if (!((command as unknown) instanceof TransactWriteCommand)) return store.documents.send(command)
    if (fate === 'arrives') await store.documents.send(command)
    if (fate === 'arrives late') waiting.push(() => store.documents.send(command))
    throw new Error('no answer in time')
  }
  const arrive = () => Promise.allSettled(waiting.map((one) => one()))
  return { documents: { send } as unknown as Documents, arrive }
}

describe('A10 a change without an answer', () => {
  const trail = () =>
    createTrail({
      store: dynamoTrailStore(store.documents, TABLES.audit),
      days: 400,
      clock: fixedClock(FAR),
      ids: clockIds(fixedClock()),
      log: recordingLog(),
    })

  describe.each(Object.entries(CHANGES))('%s', (_, prepare) => {
    it.each<[Fate, string, boolean]>([
      ['arrives', 'done', true],
      ['is lost', 'failed', false],
      ['arrives late', 'failed', false],
    ])('that %s is %s, in one row, and happened: %s', async (fate, outcome, isMade) => {
      const { state, make } = await prepare()
      const [before, count] = [await state(), await countRows()]
      const { documents, arrive } = deaf(fate)
      const deed = { ...DEED, requestId: randomUUID() }
      const change = recordChange(trail(), deed, () => make(documents))
      await expect(change).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      const late = await arrive()
      expect(late.map(({ status }) => status)).toEqual(fate === 'arrives late' ? ['rejected'] : [])
      expect(isDeepStrictEqual(await state(), before)).toBe(!isMade)
      const { Items = [] } = await store.documents.send(new ScanCommand({ TableName: TABLES.audit }))
      expect(Items.filter(({ requestId }) => requestId === deed.requestId)).toMatchObject([{ outcome }])
      expect(Items).toHaveLength(count + 1)
    })
  })
})

describe('A01 an action', () => {
  it('has one row, also of several changes: the first takes it along', async () => {
    const { keys } = keysOf('')
    const [one, other] = [lastingKey().key, lastingKey().key]
    const [act, count] = [newAct(TABLES.audit), await countRows()]
    await during(act, async () => {
      await keys.add(one)
      await keys.add(other)
      await keys.remove(one.id)
    })
    expect([await keys.find(one.id), (await keys.find(other.id))?.id]).toEqual([undefined, other.id])
    expect([(await itemOf(act))?.['id'], await countRows()]).toEqual([act.row.id, count + 1])
  })

  it('has the row of the change that succeeds, after others whose condition did not hold', async () => {
    const { keys } = keysOf('')
    const { key } = lastingKey()
    await keys.add(key)
    const act = newAct(TABLES.audit)
    expect(await during(act, async () => [await keys.remove(randomUUID()), act.isStored])).toEqual([false, false])
    expect(await during(act, async () => [await keys.remove(key.id), act.isStored])).toEqual([true, true])
    expect(await itemOf(act)).toMatchObject({ outcome: 'done' })
  })

  it('has one of two rows of its id that come at once', async () => {
    const { put } = dynamoTrailStore(store.documents, TABLES.audit)
    const act = newAct(TABLES.audit)
    await put(act.row)
    await put({ ...act.row, outcome: 'failed' })
    expect(await itemOf(act)).toMatchObject({ outcome: 'done' })
  })
})

const LONG = 'x'.repeat(511)

/** DynamoDB Local removes what has expired, by its own clock. */

describe('a row', () => {
  async function stored(row: TrailRow): Promise<TrailRow | undefined> {
    await dynamoTrailStore(store.documents, TABLES.audit).put(row)
    const span = { from: row.at, to: row.at, limit: 200 }
    const { rows } = await dynamoTrailPages(store.documents, TABLES.audit)(span)
    return rows.find(({ id }) => id === row.id)
  }

  const WHOLE: Required<TrailRow> = {
    ...{ id: 'an id', at: later(0.001), endsAt: FAR, action: 'login.refused', outcome: 'refused' },
    ...{ error: 'BAD_CREDENTIALS', nameHash: 'hash', from: '2001:db8::1', requestId: 'r-1' },
    actor: { uid: 'ldap:é', name: 'Ada', authType: 'LDAP', keyId: 'k' },
    target: { type: 'delivery', id: 'shop/1/crm', name: 'crm' },
    change: { text: 'ä\n"', number: -15, truth: false, texts: ['a', ''], none: [] },
  }

  it.each<[string, TrailRow]>([
    ['of all of them', WHOLE],
    ['of those that it must have', trailRow({ actor: undefined, target: undefined, change: undefined })],
    ['with empty names', trailRow({ actor: { uid: '', name: '' }, target: { type: 'event', id: '', name: '' } })],
    ['with a name that many have', trailRow({ actor: { name: '__proto__' }, target: { type: 'user', name: 'trail' } })],
  ])('keeps every member: %s', async (_, row) => {
    expect(await stored(row)).toEqual(row)
  })

  it('ends with the second that its end is in', async () => {
    const row = trailRow({ endsAt: new Date(FAR.getTime() - 999) })
    expect((await stored(row))?.endsAt).toEqual(FAR)
  })

  it.each([
    ['of 512 units as it is', `${LONG}y`, `${LONG}y`],
    ['of more cut', `${LONG}yz`, `${LONG}y`],
    ['of more cut, with a mark for half a character', `${LONG}😀`, `${LONG}\ufffd`],
  ])('has a long text %s', async (_, given, kept) => {
    const row = trailRow({
      ...{ error: given, nameHash: given, from: given, requestId: given },
      actor: { uid: given, name: given, authType: given, keyId: given },
      target: { type: 'event', id: given, name: given },
      change: { text: given, texts: [given, 'short'], number: 1, truth: true },
    })
    expect(await stored(row)).toEqual({
      ...row,
      ...{ error: kept, nameHash: kept, from: kept, requestId: kept },
      actor: { uid: kept, name: kept, authType: kept, keyId: kept },
      target: { type: 'event', id: kept, name: kept },
      change: { text: kept, texts: [kept, 'short'], number: 1, truth: true },
    })
    for (const kind of ['actor', 'target'] as const) {
      const span = { by: { kind, name: given }, from: row.at, to: row.at, limit: 10 }
      const { rows } = await dynamoTrailPages(store.documents, TABLES.audit)(span)
      expect(rows.map(({ id }) => id)).toContain(row.id)
    }
  })
})

/** Rows that were stored, to be read. */
type Stored = (rows: readonly TrailRow[]) => Promise<TrailPages>

const PAGES: readonly (readonly [string, Stored])[] = [
  ['the fake', async (rows) => memoryTrailPages(rows)],
  [
    ENGINE,
    async (rows) => {
      const { put } = dynamoTrailStore(store.documents, TABLES.audit)
      for (const row of rows) await put(row)
      return dynamoTrailPages(store.documents, TABLES.audit)
    },
  ],
]

describe.each(PAGES)('%s lists rows', (engine, open) => {
  /** Of names, and at a time, of their own. */
  const own = (name: string) => `${name} ${engine}`
  const begin = new Date(Date.UTC(engine === 'the fake' ? 2030 : 2031, 0))
  const at = (milliseconds: number) => new Date(begin.getTime() + milliseconds)
  const span = { from: at(0), to: at(1000), limit: 100 }
  const [ADA, BOB] = [
    { uid: own('id-1'), name: own('Ada') },
    { uid: own('id-2'), name: own('BOB') },
  ]
  const [MACHINE, NAMELESS] = [{ keyId: own('K') }, { uid: own('ID-3') }]

  const rows: readonly TrailRow[] = [
    trailRow({ at: at(0), actor: ADA, target: { type: 'user', id: own('id-2'), name: own('bob') } }),
    trailRow({ at: at(1), actor: { ...ADA, name: own('ADA') }, target: { type: 'session', id: own('S-1') } }),
    trailRow({ at: at(1), actor: BOB, target: { type: 'event', id: own('shop/1'), name: own('1') } }),
    trailRow({ at: at(1), actor: MACHINE, target: { type: 'user', id: own('id-2') } }),
    trailRow({ at: at(2), actor: NAMELESS, target: undefined }),
    trailRow({ at: at(999), actor: ADA, target: { type: 'user', name: own('Bob') } }),
    trailRow({ at: at(1000), actor: undefined, target: { type: 'passkey', id: own('p'), name: own('laptop') } }),
  ]
  const newest = rows.toSorted((one, other) => other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1))
  const placesOf = (found: readonly TrailRow[]) => found.map(({ id }) => rows.findIndex((row) => row.id === id)).sort()

  let pages: TrailPages
  beforeAll(async () => {
    pages = await open(rows)
  })

  it('by time, the newest first, and those of one millisecond by their ids', async () => {
    expect(await pages(span)).toEqual({ rows: newest, isLast: true })
  })

  it.each<[string, 'actor' | 'target', string, readonly number[]]>([
    ['of an actor', 'actor', 'Ada', [0, 1, 5]],
    ['of an actor, not by the id', 'actor', 'id-1', []],
    ['of an actor without a name, by the id', 'actor', 'id-3', [4]],
    ['of a machine without a name, by the id of its key', 'actor', 'k', [3]],
    ['about a user', 'target', 'BOB', [0, 5]],
    ['about a user, not by the id', 'target', 'id-2', []],
    ['about what has no name, by the id', 'target', 's-1', [1]],
    ['of no name', 'target', '', []],
  ])('%s', async (_, kind, name, expected) => {
    const { rows: found, isLast } = await pages({ ...span, by: { kind, name: own(name) } })
    expect([placesOf(found), isLast]).toEqual([expected, true])
    expect(found).toEqual(newest.filter((row) => found.some(({ id }) => id === row.id)))
  })

  it.each<[string, Partial<Parameters<TrailPages>[0]>, readonly number[]]>([
    ['from a time on', { from: at(2) }, [4, 5, 6]],
    ['until a time', { to: at(1) }, [0, 1, 2, 3]],
    ['of a time without any', { from: at(3), to: at(998) }, []],
    ['of an actor and a time', { from: at(1), to: at(999), by: { kind: 'actor', name: own('ada') } }, [1, 5]],
    ['of the time before 1970', { from: new Date(-2000), to: new Date(-1000) }, []],
  ])('%s', async (_, changes, expected) => {
    expect(placesOf((await pages({ ...span, ...changes })).rows)).toEqual(expected)
  })

  it.each([1, 2, 100])('page by page, after the last of the page before: %i a page', async (limit) => {
    const found: TrailRow[] = []
    let page: Awaited<ReturnType<TrailPages>> | undefined
    do {
      page = await pages({ ...span, limit, after: found.at(-1) })
      found.push(...page.rows)
    } while (!page.isLast)
    expect(found).toEqual(newest)
  })

  it.each<[string, number, number, number]>([
    ['before all that is wanted', -1, 0, 1000],
    ['long before', -1_000_000, 5, 5],
  ])('none after a place that is %s', async (_, after, from, to) => {
    const place = { at: at(after), id: 'x' }
    expect(await pages({ ...span, from: at(from), to: at(to), after: place })).toEqual({ rows: [], isLast: true })
  })

  it('none that is newer than the time, after a place that is newer as well', async () => {
    const { rows: found } = await pages({ ...span, to: at(1), after: { at: at(5000), id: 'x' } })
    expect(placesOf(found)).toEqual([0, 1, 2, 3])
  })
})

describe('A02 the key of the hashes of names', () => {
  const newProcess = (documents = store.documents) => dynamoNameKey(documents, TABLES.counters)

  it('is random, and one for all processes, also of many that begin at once', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => newProcess()()))
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1)
    expect(keys[0]).toHaveLength(32)
    expect(keys[0]).not.toEqual(new Uint8Array(32))
    expect(await newProcess()()).toEqual(keys[0])
  })

  it('is read once for a process, and again after a failure', async () => {
    let asked = 0
    const failing = async (command: never) => {
      asked += 1
      if (asked === 1) throw new Error('no answer')
      return store.documents.send(command)
    }
    const nameKey = newProcess({ send: failing } as unknown as Documents)
    await expect(nameKey()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await nameKey()).toEqual(await nameKey())
    expect(asked).toBe(2)
  })
})
