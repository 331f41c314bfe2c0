import { expect, it } from 'vitest'
import { createKey, deleteKey } from '../../../lib/auth/keys/manage.ts'
import { deletePasskey } from '../../../lib/auth/passkeys/passkey.ts'
import { sendMessage } from '../../../lib/messages/send.ts'
import { clockIds } from '../../../lib/runtime/ids.ts'
import { during, type TrailRow } from '../../../lib/trail/act.ts'
import { changeUser, createUser, knownAccount, removeUser } from '../../../lib/users/manage.ts'
import type { User } from '../../../lib/users/user.ts'
import { startReplay } from '../../../lib/webhooks/operators/replay.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { memoryEventList } from '../../support/fakes/event-list.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { MemoryKeys, newApiKey } from '../../support/fakes/keys.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { tokenHolder } from '../../support/fakes/principals.ts'
import { MemoryReplays } from '../../support/fakes/replay-store.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'
import { ALICE as OWNER, passkeyWorld } from '../../support/passkey-world.ts'
import { newAct } from '../../support/trail.ts'

const ADA: User = {
  ...{ id: 'a', username: 'Ada', passwordHash: 'h', roles: ['ROLE_ADMIN'] },
  ...{ enabled: true, createdAt: START },
}
const BOB: User = { ...ADA, id: 'b', username: 'Bob', roles: ['ROLE_USER'] }

const REFUSAL = new Error('refused')
const asker = { uid: 'a', refuse: () => REFUSAL }

const users = () => new MemoryUsers(ADA, BOB)
const hash = async (text: string) => `hash of ${text}`
const clock = fixedClock()
const forget = async () => {}
const log = recordingLog()

const change = (id: string, changes: Parameters<typeof changeUser>[2]) =>
  changeUser({ users: users(), clock, hash, forget }, id, changes, asker)

function create(username: string, password = 's3cret-12') {
  const parts = { ids: countingIds(), clock }
  return createUser(users(), parts, hash, { username, password, role: 'ROLE_USER' })
}

const { key: KEY } = newApiKey({ name: 'warehouse' })

async function keyParts() {
  const keys = new MemoryKeys()
  await keys.add(KEY)
  return { keys, ids: clockIds(clock), clock, log }
}

function send(destination: string) {
  const accounts = { findByName: async () => undefined }
  const parts = { accounts, broadcast: { publish: async () => {} }, ids: countingIds(), maximumBytes: 100 }
  return sendMessage(parts, { destination, body: 'x' }, 'admin')
}

function replay(destination?: string) {
  const { replays, replayQueue } = new MemoryReplays()
  const list = memoryEventList(() => [])
  const counter = { count: async () => ({ done: 0, failed: 0, waiting: 0 }) }
  const parts = { replays, replayQueue, counter, listOf: () => list, isDestination: () => false, clock, log }
  const order = { replayId: 'r-1', filter: {}, ratePerSecond: 10, dryRun: false, user: 'admin' }
  return startReplay(parts, { ...order, ...(destination && { destination }) })
}

/** What the path of a request says, before its handler says more. */
const BY_PATH = { type: 'event', id: 'by path' } as const

it.each<[string, () => Promise<unknown>, string | undefined, TrailRow['target']]>([
  ['a new user', () => create('Carol'), undefined, { type: 'user', id: 'unique-1', name: 'Carol' }],
  ['a new user whose name is taken', () => create('bob'), 'USER_EXISTS', { type: 'user', id: 'unique-1', name: 'bob' }],
  ['a changed user', () => change('b', { enabled: false }), undefined, { type: 'user', id: 'b', name: 'Bob' }],
  [
    'the last admin, who must remain',
    () => change('a', { role: 'ROLE_USER' }),
    'refused',
    { type: 'user', id: 'a', name: 'Ada' },
  ],
  ['nobody who could be changed', () => change('x', { enabled: false }), 'USER_NOT_FOUND', BY_PATH],
  [
    'a removed user',
    () => removeUser({ users: users(), clock, forget }, 'b', asker),
    undefined,
    { type: 'user', id: 'b', name: 'Bob' },
  ],
  [
    'oneself, who must not be removed',
    () => removeUser({ users: users(), clock, forget }, 'a', asker),
    'refused',
    { type: 'user', id: 'a', name: 'Ada' },
  ],
  ['an account whose logins end', () => knownAccount(users(), 'b'), undefined, { type: 'user', id: 'b', name: 'Bob' }],
  ['an account of another store', () => knownAccount(users(), 'ldap:1'), undefined, { type: 'user', id: 'ldap:1' }],
  [
    'a deleted key',
    async () => deleteKey(await keyParts(), KEY.id, 'ada'),
    undefined,
    { type: 'key', id: KEY.id, name: 'warehouse' },
  ],
  ['a message', () => send('/topic/public/a'), undefined, { type: 'message', id: 'unique-1', name: '/topic/public/a' }],
  [
    'a message to nobody',
    () => send('/user/x/queue/a'),
    'USER_NOT_FOUND',
    { type: 'message', id: 'unique-1', name: '/user/x/queue/a' },
  ],
  ['a replay', () => replay(), undefined, { type: 'replay', id: 'r-1' }],
])('an action says that it is done to %s', async (_, work, refusal, target) => {
  const act = newAct('audit', { target: BY_PATH })
  const refused = await during(act, work).then(
    () => undefined,
    (error) => error.code ?? error.message,
  )
  expect([refused, act.row.target]).toEqual([refusal, target])
})

it('a row says that a password was set, and not which', async () => {
  const act = newAct('audit', { change: { enabled: true } })
  await during(act, () => change('b', { password: 's3cret-12' }))
  expect(act.row.change).toEqual({ enabled: true, password: 'changed' })
})

it('a new key says that it is done to that key', async () => {
  const act = newAct('audit', { target: BY_PATH })
  const parts = await keyParts()
  const { id } = await during(act, () => createKey(parts, { name: 'shop' }, tokenHolder('ROLE_ADMIN')))
  expect(act.row.target).toEqual({ type: 'key', id, name: 'shop' })
})

it('a new passkey, and the end of one, say that they are done to that passkey', async () => {
  const { register, parts } = passkeyWorld(clock)
  const begun = () => newAct('audit', { target: BY_PATH })
  const [added, removed, unknown] = [begun(), begun(), begun()]
  const { shown } = await during(added, () => register(OWNER, {}, 'laptop'))
  await during(removed, () => deletePasskey(parts.passkeys, OWNER.uid, shown.id))
  await during(unknown, () => deletePasskey(parts.passkeys, OWNER.uid, shown.id)).catch(() => {})
  const target = { type: 'passkey', id: shown.id, name: 'laptop' }
  expect([added, removed, unknown].map(({ row }) => row.target)).toEqual([target, target, BY_PATH])
})
