import { describe, expect, it } from 'vitest'
import { CATALOG, type ErrorCode, fail, ServiceError } from '../../../lib/errors.ts'
import { actsOn, actToStore, type Deed, during } from '../../../lib/trail/act.ts'
import { recordAlone, recordChange } from '../../../lib/trail/trail.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingTrail, rowTakenAlong } from '../../support/fakes/trail.ts'
import { DEED, newAct } from '../../support/trail.ts'

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
  expect(trail.rows).toMatchObject([{ id: 'id', outcome: 'refused', error: 'TOO_MANY_REQUESTS' }, { outcome: 'done' }])
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
