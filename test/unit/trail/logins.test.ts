import { describe, expect, it } from 'vitest'
import { fail, unavailable } from '../../../lib/errors.ts'
import { correlated } from '../../../lib/runtime/trace.ts'
import { loginRows, nameHashOf } from '../../../lib/trail/logins.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingTrail, rowTakenAlong } from '../../support/fakes/trail.ts'

const HERE = '192.0.2.1'
const ALICE = { uid: 'id-1', username: 'Alice', authType: 'JDBC', roles: ['ROLE_USER'], passwordHash: 'secret' }
const ACTOR = { uid: 'id-1', name: 'Alice', authType: 'JDBC' }
const ROW = { actor: ACTOR, from: HERE, requestId: 'r-1' }

const KEY = Uint8Array.from({ length: 32 }, (_, index) => index)
const OTHER = new Uint8Array(32)

function setUp(nameKey: () => Promise<Uint8Array> = async () => KEY) {
  const [clock, log] = [fixedClock(), recordingLog()]
  const trail = recordingTrail(clock, log)
  const process = () => loginRows(trail, { nameKey, windowSeconds: 300, clock, log })
  return { clock, log, trail, process, logins: process() }
}

const inCall = <T>(work: () => T) => correlated({ requestId: 'r-1' }, work)

describe('A02 a login', () => {
  it('that stores nothing leaves a row with the account and the address, under the id of the call', async () => {
    const { logins, trail } = setUp()
    await inCall(() => logins.accepted(ALICE, HERE))
    expect(trail.rows).toMatchObject([{ ...ROW, action: 'login.accepted', outcome: 'done' }])
    expect(trail.rows[0]?.actor).toEqual(ACTOR)
  })

  it.each(['login.accepted', 'logins.ended'] as const)('stores the row of %s with the change', async (action) => {
    const { logins, trail } = setUp()
    const row = await inCall(() => logins.recorded(action, ALICE, HERE, async () => rowTakenAlong()))
    expect(row).toMatchObject({ ...ROW, action, outcome: 'done' })
    expect(trail.rows).toEqual([])
  })

  it('A11 whose session cannot be stored fails, and leaves a row that says so', async () => {
    const { logins, trail } = setUp()
    const cause = unavailable(new Error('down'))
    const login = inCall(() => logins.recorded('login.accepted', ALICE, HERE, () => Promise.reject(cause)))
    await expect(login).rejects.toBe(cause)
    expect(trail.rows).toMatchObject([{ ...ROW, action: 'login.accepted', outcome: 'failed', error: 'UNAVAILABLE' }])
  })

  it('A11 goes on without a row, which the log misses', async () => {
    const { logins, trail, log } = setUp()
    trail.isDown = true
    await expect(logins.accepted(ALICE, HERE)).resolves.toBeUndefined()
    await expect(logins.refused('alice', HERE)).resolves.toBeUndefined()
    await expect(logins.throttled(HERE)).resolves.toBeUndefined()
    expect(log.of('an action is missing in the audit trail').map(({ action }) => action)).toEqual([
      'login.accepted',
      'login.refused',
      'login.refused',
    ])
  })
})

describe('A02 a refused login', () => {
  it('leaves a row with a hash of the name, and nobody as its actor', async () => {
    const { logins, trail } = setUp()
    await inCall(() => logins.refused('my password', HERE))
    const { actor: _, ...row } = ROW
    const nameHash = nameHashOf(KEY, 'my password')
    const refused = { action: 'login.refused', outcome: 'refused', error: 'BAD_CREDENTIALS', nameHash }
    expect(trail.rows).toMatchObject([{ ...row, ...refused }])
    expect(trail.rows[0]?.actor).toBeUndefined()
    expect(JSON.stringify(trail.rows)).not.toContain('my password')
  })

  it('leaves its row also while the key of the hash cannot be read, without a hash', async () => {
    const cause = fail('UNAVAILABLE')
    const { logins, trail, log } = setUp(() => Promise.reject(cause))
    await logins.refused('alice', HERE)
    expect(trail.rows).toMatchObject([{ action: 'login.refused', error: 'BAD_CREDENTIALS', from: HERE }])
    expect(trail.rows[0]?.nameHash).toBeUndefined()
    expect(log.of('a refused login is recorded without the hash of its name')).toEqual([{ cause }])
  })
})

describe('A02 the hash of a name', () => {
  it('is keyed, as computed with Python, and the same in any case', () => {
    const hash = nameHashOf(KEY, 'alice')
    expect(hash).toBe('bu-tK-2Xttk-5mPWekS0YBaz153K1UraObYaHRSHTRs')
    for (const name of ['ALICE', 'Alice', 'aLiCe']) expect(nameHashOf(KEY, name)).toBe(hash)
  })

  it('differs by name and by key, and is one for all texts that are nobody’s name', () => {
    const long = 'x'.repeat(300)
    const hashes = [nameHashOf(KEY, 'bob'), nameHashOf(OTHER, 'bob'), nameHashOf(KEY, long)]
    expect(new Set(hashes).size).toBe(3)
    for (const name of ['', `${long}y`]) expect(nameHashOf(KEY, name)).toBe(hashes[2])
  })
})

describe('A03 guesses that are refused unheard', () => {
  it('leave one row of an address and a window, without a name', async () => {
    const { logins, trail, clock } = setUp()
    for (let guess = 0; guess < 50; guess++) await inCall(() => logins.throttled(HERE))
    const row = {
      action: 'login.refused',
      outcome: 'refused',
      error: 'TOO_MANY_REQUESTS',
      from: HERE,
      requestId: 'r-1',
    }
    expect(trail.rows).toMatchObject([row])
    expect([trail.rows[0]?.nameHash, trail.rows[0]?.actor]).toEqual([undefined, undefined])
    clock.advance(300_000)
    await logins.throttled(HERE)
    expect(trail.rows).toHaveLength(2)
  })

  it('leave one row of all processes', async () => {
    const { process, trail } = setUp()
    for (let instance = 0; instance < 3; instance++) await process().throttled(HERE)
    expect(trail.rows).toHaveLength(1)
  })

  it.each([
    ['an address of IPv6 and another of its /64', ['2001:db8::1', '2001:db8::ffff:2'], 1],
    ['two /64 of IPv6', ['2001:db8::1', '2001:db8:0:1::1'], 2],
  ])('are those of one place: %s', async (_, addresses, expected) => {
    const { logins, trail } = setUp()
    for (const address of addresses) await logins.throttled(address)
    expect(trail.rows).toHaveLength(expected)
  })

  it('name no address in the id of the row', async () => {
    const { logins, trail } = setUp()
    await logins.throttled(HERE)
    expect(trail.rows[0]?.id).toMatch(/^[\da-f]{64}$/)
  })
})
