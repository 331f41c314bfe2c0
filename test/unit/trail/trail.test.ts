import { describe, expect, it } from 'vitest'
import { CATALOG, type ErrorCode, fail, ServiceError, unavailable } from '../../../lib/errors.ts'
import { correlated } from '../../../lib/runtime/trace.ts'
import { actsOn, actToStore, type Deed, during } from '../../../lib/trail/act.ts'
import { loginRows, nameHashOf, recordAlone, recordChange } from '../../../lib/trail/trail.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingTrail, rowTakenAlong } from '../../support/fakes/trail.ts'
import { DEED, newAct } from '../../support/trail.ts'

describe('trail', () => {
  const DAY = 24 * 60 * 60_000
  const UNAVAILABLE = { code: 'UNAVAILABLE' }

  function setUp() {
    const [clock, log] = [fixedClock(), recordingLog()]
    return { clock, log, trail: recordingTrail(clock, log) }
  }

  const raising = (error: unknown) => () => Promise.reject(error)

  /** How an action ends with that error. */
  async function endOf(error: unknown): Promise<string | undefined> {
    const { trail } = setUp()
    await expect(recordChange(trail, DEED, raising(error))).rejects.toBe(error)
    const [row, ...others] = trail.rows
    expect(others).toEqual([])
    return row && `${row.outcome} ${row.error}`
  }

  describe('how an action ends', () => {
    it.each<[number, string | undefined]>([
      [400, undefined],
      [403, 'refused'],
      [404, 'refused'],
      [409, 'refused'],
      [410, 'refused'],
      [429, undefined],
      [500, 'failed'],
      [503, 'failed'],
    ])('each error of the status %i leaves a row: %s', async (status, outcome) => {
      const codes = (Object.keys(CATALOG) as ErrorCode[]).filter((code) => CATALOG[code].status === status)
      expect(codes.length).toBeGreaterThan(0)
      for (const code of codes) {
        const error = new ServiceError(code, undefined as never)
        expect(await endOf(error)).toBe(outcome && `${outcome} ${code}`)
      }
    })

    it.each([new TypeError('a bug'), undefined])('a bug is a failure: %s', async (error) => {
      expect(await endOf(error)).toBe('failed UNEXPECTED')
    })
  })

  describe('the row of an action', () => {
    it('has all of the deed, an id, the time of its beginning, and an end after the days of the trail', async () => {
      const { trail, clock } = setUp()
      const result = await recordChange(trail, DEED, async () => {
        clock.advance(1000)
        return rowTakenAlong()
      })
      const endsAt = new Date(START.getTime() + 400 * DAY)
      expect(result).toEqual({ ...DEED, id: expect.any(String), at: START, endsAt, outcome: 'done' })
      expect(trail.rows).toEqual([])
    })

    it('A10 is one: a failure has its id, so that a change that comes late is undone', async () => {
      const { trail } = setUp()
      await recordChange(trail, DEED, raising(fail('UNEXPECTED'))).catch(() => {})
      const [act] = trail.acts
      expect(trail.rows.map(({ id }) => id)).toEqual([act?.row.id])
    })

    it('of a refusal says what the action had come to know of its target', async () => {
      const { trail } = setUp()
      const target = { type: 'key', id: 'k', name: 'warehouse' } as const
      const change = recordChange(trail, DEED, async () => {
        actsOn(target)
        throw fail('KEY_NOT_FOUND')
      })
      await expect(change).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' })
      expect(trail.rows).toMatchObject([{ target, change: DEED.change, outcome: 'refused' }])
    })
  })

  describe('refusals of one actor', () => {
    const refuse = async ({ trail }: ReturnType<typeof setUp>, times: number, deed: Deed = DEED) => {
      for (let time = 0; time < times; time++) {
        await expect(recordChange(trail, deed, raising(fail('USER_NOT_FOUND')))).rejects.toMatchObject({ status: 404 })
      }
    }
    const of = (actor: Deed['actor']): Deed => ({ ...DEED, actor })

    it('leave 20 rows a minute', async () => {
      const parts = setUp()
      await refuse(parts, 30)
      expect(parts.trail.rows).toHaveLength(20)
      parts.clock.advance(60_000)
      await refuse(parts, 30)
      expect(parts.trail.rows).toHaveLength(40)
    })

    it.each<[string, Deed['actor']]>([
      ['another account', { uid: 'id-3', name: 'Ada', authType: 'JWT' }],
      ['a machine', { name: 'Ada', keyId: 'k' }],
      ['nobody', undefined],
    ])('do not keep those of %s out', async (_, actor) => {
      const parts = setUp()
      await refuse(parts, 30)
      await refuse(parts, 1, of(actor))
      expect(parts.trail.rows.filter((row) => row.actor === actor)).toHaveLength(1)
    })

    it('keep neither what fails out nor what happens', async () => {
      const parts = setUp()
      const { trail } = parts
      await refuse(parts, 30)
      await recordChange(trail, DEED, raising(new Error('a bug'))).catch(() => {})
      await recordAlone(trail, DEED, () => {})
      expect(trail.rows.slice(20).map(({ outcome }) => outcome)).toEqual(['failed', 'done'])
      expect(await recordChange(trail, DEED, async () => rowTakenAlong())).toBeDefined()
    })

    it('are counted for the last 1000 actors only', async () => {
      const parts = setUp()
      await refuse(parts, 20)
      for (let other = 0; other < 1000; other++) await refuse(parts, 1, of({ uid: `u-${other}` }))
      await refuse(parts, 1)
      expect(parts.trail.rows).toHaveLength(20 + 1000 + 1)
    })
  })

  describe('while rows cannot be stored', () => {
    function down() {
      const parts = setUp()
      parts.trail.isDown = true
      return parts
    }

    it.each([
      ['refused', fail('USER_NOT_FOUND')],
      ['failed', fail('UNEXPECTED')],
    ])('what is %s has its own error, and the log names the row that is missing', async (outcome, error) => {
      const { trail, log } = down()
      await expect(recordChange(trail, DEED, raising(error))).rejects.toBe(error)
      const fields = { action: 'user.changed', outcome, cause: expect.objectContaining(UNAVAILABLE) }
      expect(log.entries).toEqual([{ level: 'error', message: 'an action is missing in the audit trail', fields }])
    })

    it('a note is missing, and its sender hears nothing of it', async () => {
      const { trail, log } = down()
      await trail.note({ ...DEED, outcome: 'done' })
      expect(log.of('an action is missing in the audit trail')).toMatchObject([{ outcome: 'done' }])
    })

    it('A11 what changes nothing is not answered', async () => {
      const { trail } = down()
      await expect(recordAlone(trail, DEED, () => 'the payload')).rejects.toMatchObject(UNAVAILABLE)
      expect(trail.rows).toEqual([])
    })
  })

  describe('what stores nothing', () => {
    it('has its result once its row is stored', async () => {
      const { trail } = setUp()
      expect(await recordAlone(trail, DEED, () => 'the payload')).toBe('the payload')
      expect(trail.rows).toMatchObject([{ ...DEED, outcome: 'done' }])
      expect(trail.acts.map(({ isStored }) => isStored)).toEqual([true])
    })

    it('leaves a row that says why it was refused', async () => {
      const { trail } = setUp()
      await expect(recordAlone(trail, DEED, raising(fail('EVENT_NOT_FOUND')))).rejects.toMatchObject({ status: 404 })
      expect(trail.rows).toMatchObject([{ ...DEED, outcome: 'refused', error: 'EVENT_NOT_FOUND' }])
    })
  })

  it('a note has the outcome that it is given, and there is one under a given id', async () => {
    const { trail } = setUp()
    for (const error of ['TOO_MANY_REQUESTS', 'ANOTHER']) await trail.note({ ...DEED, outcome: 'refused', error }, 'id')
    await trail.note({ ...DEED, outcome: 'done' })
    expect(trail.rows).toMatchObject([
      { id: 'id', outcome: 'refused', error: 'TOO_MANY_REQUESTS' },
      { outcome: 'done' },
    ])
  })

  describe('an action under way', () => {
    const ANOTHER = { type: 'message', id: 'm' } as const

    it('is that of the work and of all that it waits for', async () => {
      const act = newAct('audit')
      const found = await during(act, async () => {
        await new Promise(setImmediate)
        return actToStore()
      })
      expect([found, actToStore()]).toEqual([act, undefined])
    })

    it('gives its row once', () => {
      expect(during({ ...newAct('audit'), isStored: true }, actToStore)).toBeUndefined()
    })

    it('learns its target and new values, each name once', () => {
      const act = newAct('audit', { change: { role: 'ROLE_USER', enabled: false } })
      during(act, () => actsOn(ANOTHER, { enabled: true, name: 'x' }))
      expect(act.row).toMatchObject({ target: ANOTHER, change: { role: 'ROLE_USER', enabled: true, name: 'x' } })
      during(act, () => actsOn(ANOTHER))
      expect(act.row.change).toEqual({ role: 'ROLE_USER', enabled: true, name: 'x' })
    })

    it('is another than the one around it', () => {
      const [outer, inner] = [newAct('audit'), newAct('audit')]
      during(outer, () => during(inner, () => actsOn(ANOTHER)))
      expect([outer.row.target, inner.row.target]).toEqual([DEED.target, ANOTHER])
    })
  })
})

describe('logins', () => {
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
})
