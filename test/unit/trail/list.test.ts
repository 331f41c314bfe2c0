import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { trailEntry } from '../../../lib/contract/answers/trail.ts'
import { unavailable } from '../../../lib/errors.ts'
import type { TrailRow } from '../../../lib/trail/act.ts'
import { listTrail, shownRow, type TrailPages, type TrailQuery } from '../../../lib/trail/list.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { memoryTrailPages } from '../../support/fakes/trail.ts'
import { trailRow } from '../../support/trail.ts'

const MOST_ROWS = 10_000

const ADA = '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11'
const BOB = '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e12'
/** Was deleted. */
const EVE = '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e13'
const NAMES: Readonly<Record<string, string>> = { [ADA]: 'Ada', [BOB]: 'Bob' }

const at = (milliseconds: number) => new Date(START.getTime() + milliseconds)
const rowAt = (milliseconds: number, changes: Partial<TrailRow> = {}) =>
  trailRow({ id: `row-${milliseconds}`, at: at(milliseconds), ...changes })

function setUp(rows: readonly TrailRow[], pages: TrailPages = memoryTrailPages(rows)) {
  const clock = fixedClock()
  const asked: Parameters<TrailPages>[0][] = []
  const parts = {
    pages: (request: Parameters<TrailPages>[0]) => {
      asked.push(request)
      return pages(request)
    },
    nameOf: async (uid: string) => NAMES[uid],
    clock,
  }
  const list = (query: Partial<TrailQuery> = {}) => listTrail(parts, { reads: false, limit: 200, ...query })

  /** The ids of all pages, each with how many it had. */
  async function walk(query: Partial<TrailQuery>) {
    const [ids, sizes]: [string[], number[]] = [[], []]
    let cursor: string | undefined
    do {
      const page = await list({ ...query, cursor })
      ids.push(...page.entries.map(({ id }) => id))
      sizes.push(page.entries.length)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return { ids, sizes }
  }

  return { clock, asked, list, walk }
}

const idsOf = ({ entries }: Awaited<ReturnType<typeof listTrail>>) => entries.map(({ id }) => id)

describe('the list of the trail', () => {
  it('is empty of an empty trail', async () => {
    expect(await setUp([]).list()).toEqual({ entries: [], nextCursor: null, complete: true })
  })

  it('shows the newest first, and those of one millisecond by their ids', async () => {
    const rows = [rowAt(2), rowAt(1, { id: 'a' }), rowAt(1, { id: 'c' }), rowAt(1, { id: 'b' }), rowAt(3)]
    const page = await setUp(rows).list()
    expect(page).toMatchObject({ nextCursor: null, complete: true })
    expect(idsOf(page)).toEqual(['row-3', 'row-2', 'c', 'b', 'a'])
  })

  it('shows all of a row but its end, and null for what it does not have', () => {
    const {
      actor: _,
      target: __,
      change: ___,
      requestId: ____,
      ...refused
    } = rowAt(0, {
      ...{ action: 'login.refused', outcome: 'refused', error: 'BAD_CREDENTIALS', nameHash: 'h' },
    })
    const row = rowAt(0, { actor: { uid: ADA, name: 'Ada', authType: 'JWT' }, target: { type: 'user', id: BOB } })
    const common = { id: 'row-0', at: '2026-01-02T03:04:05.000Z', from: '192.0.2.1' }
    const shown = [row, refused].map(shownRow)
    expect(shown).toEqual([
      {
        ...{ ...common, action: 'user.changed', outcome: 'done', error: null, nameHash: null, requestId: 'r-1' },
        actor: { uid: ADA, name: 'Ada', authType: 'JWT', keyId: null },
        target: { type: 'user', id: BOB, name: null },
        change: { enabled: false },
      },
      {
        ...{ ...common, action: 'login.refused', outcome: 'refused', error: 'BAD_CREDENTIALS', nameHash: 'h' },
        ...{ actor: null, target: null, change: null, requestId: null },
      },
    ])
    expect(shown.map((one) => trailEntry.parse(one))).toEqual(shown)
  })

  it('fails while the trail cannot be read', async () => {
    const cause = unavailable(new Error('down'))
    await expect(setUp([], () => Promise.reject(cause)).list()).rejects.toBe(cause)
  })
})

describe('the pages of the list', () => {
  it.each<[string, number, (index: number) => number, number, number]>([
    ['of one row, of one millisecond', 25, () => 0, 1, 1000],
    ['of seven rows, read three at once', 50, (index) => index % 3, 7, 3],
    ['that are all full', 20, (index) => index, 5, 1000],
    ['of more than there is', 20, (index) => index, 50, 4],
  ])('%s lose no row and repeat none', async (_, count, timeOf, limit, atOnce) => {
    const rows = Array.from({ length: count }, (_, index) => rowAt(timeOf(index), { id: `id-${index}` }))
    for (const query of [{}, { actor: 'ada' }, { target: 'bob' }]) {
      const { ids, sizes } = await setUp(rows, memoryTrailPages(rows, atOnce)).walk({ ...query, limit })
      const whole = await setUp(rows).list(query)
      expect(ids).toEqual(idsOf(whole))
      expect(new Set(ids).size).toBe(count)
      expect(sizes).toEqual([
        ...Array(Math.ceil(count / limit) - 1).fill(limit),
        count % limit || Math.min(count, limit),
      ])
    }
  })

  it('lose no row that the filter finds among others', async () => {
    const rows = Array.from({ length: 100 }, (_, index) =>
      rowAt(0, { id: `id-${index}`, outcome: index % 7 === 0 ? 'failed' : 'done' }),
    )
    const { ids, sizes } = await setUp(rows).walk({ outcome: ['failed'], limit: 2 })
    expect([new Set(ids).size, sizes]).toEqual([15, [2, 2, 2, 2, 2, 2, 2, 1]])
  })

  it('do not change with newer rows', async () => {
    const rows = [1, 2, 3, 4].map((time) => rowAt(time))
    const { list } = setUp(rows)
    const first = await list({ limit: 2 })
    rows.push(rowAt(5))
    const second = await list({ limit: 2, cursor: first.nextCursor ?? '' })
    expect([first, second].map(idsOf)).toEqual([
      ['row-4', 'row-3'],
      ['row-2', 'row-1'],
    ])
    expect(second.nextCursor).toBeNull()
  })

  it('go on after a row that is gone by then', async () => {
    const rows = [1, 2, 3, 4].map((time) => rowAt(time))
    const { list } = setUp(rows)
    const { nextCursor } = await list({ limit: 2 })
    rows.splice(2, 1)
    expect(idsOf(await list({ limit: 2, cursor: nextCursor ?? '' }))).toEqual(['row-2', 'row-1'])
  })

  it.each(['x', Buffer.from('[]').toString('base64url')])(
    'A12 refuse a cursor that no page returned: %j',
    async (cursor) => {
      await expect(setUp([rowAt(1)]).list({ cursor })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { validationErrors: [{ field: 'cursor', message: 'must come from a page with the same filter' }] },
      })
    },
  )
})

const MACHINE = { name: 'key:0000000000kkk', authType: 'API_KEY', keyId: '0000000000kkk' }
const CAROL = { uid: 'ldap:entry-1', name: 'carol', authType: 'LDAP' }

const ROWS: Readonly<Record<string, TrailRow>> = {
  forbidden: rowAt(0, {
    outcome: 'refused',
    error: 'ROLE_REQUIRED',
    actor: CAROL,
    target: { type: 'user', id: BOB },
  }),
  changed: rowAt(1, { actor: { uid: ADA, name: 'Ada' }, target: { type: 'user', id: BOB, name: 'Bob' } }),
  created: rowAt(2, {
    action: 'user.created',
    actor: { uid: BOB, name: 'Bob' },
    target: { type: 'user', id: EVE, name: 'eve' },
  }),
  deleted: rowAt(3, {
    action: 'user.deleted',
    actor: { uid: ADA, name: 'ADA' },
    target: { type: 'user', id: EVE, name: 'eve' },
  }),
  refused: rowAt(4, {
    action: 'event.retried',
    outcome: 'refused',
    error: 'EVENT_NOT_FOUND',
    actor: CAROL,
    target: { type: 'event', id: 'stripe/evt_1', name: 'evt_1' },
  }),
  failed: rowAt(5, {
    action: 'key.deleted',
    outcome: 'failed',
    error: 'UNEXPECTED',
    actor: { uid: EVE, name: 'eve' },
    target: { type: 'key', id: '0000000000kkk' },
  }),
  read: rowAt(6, {
    action: 'payload.read',
    actor: MACHINE,
    target: { type: 'event', id: 'stripe/evt_1', name: 'evt_1' },
  }),
  login: rowAt(7, { action: 'login.refused', outcome: 'refused', actor: undefined, target: undefined, nameHash: 'h' }),
}
const ALL = Object.values(ROWS)

describe('the filter of the list', () => {
  it.each<[string, Partial<TrailQuery>, readonly string[]]>([
    ['nothing: all but the readings', {}, ['login', 'failed', 'refused', 'deleted', 'created', 'changed', 'forbidden']],
    [
      'the readings, too',
      { reads: true },
      ['login', 'read', 'failed', 'refused', 'deleted', 'created', 'changed', 'forbidden'],
    ],
    ['an actor by name', { actor: 'Ada' }, ['deleted', 'changed']],
    ['an actor by name in any case', { actor: 'aDA' }, ['deleted', 'changed']],
    ['an actor of another store by id in any case', { actor: 'LDAP:ENTRY-1' }, ['refused', 'forbidden']],
    ['a machine by the name of its key', { actor: 'KEY:0000000000kkk', reads: true }, ['read']],
    ['a machine by the id of its key', { actor: '0000000000kkk', reads: true }, ['read']],
    ['a part of a name, which is no name', { actor: 'Ad' }, []],
    ['a target by name', { target: 'bob' }, ['changed']],
    ['a target by id, also where its name was not known', { target: BOB }, ['changed', 'forbidden']],
    ['an event by its source and id', { target: 'stripe/evt_1' }, ['refused']],
    ['an actor and a target', { actor: ADA, target: 'eve' }, ['deleted']],
    ['an action that is a reading', { action: ['payload.read'] }, ['read']],
    ['a reading among others', { action: ['payload.read', 'key.deleted'], reads: false }, ['read', 'failed']],
    ['an outcome', { outcome: ['refused'] }, ['login', 'refused', 'forbidden']],
    ['a part of a name of an actor', { q: 'AR' }, ['refused', 'forbidden']],
    ['a part of an id', { q: 'EVT' }, ['refused']],
    ['a part of the id of a key', { q: '0kkk', reads: true }, ['read', 'failed']],
    ['a part of the action', { q: 'login.' }, ['login']],
    ['no part of anything', { q: 'nowhere' }, []],
    ['a span', { from: at(2), to: at(4) }, ['refused', 'deleted', 'created']],
    ['one millisecond', { from: at(3), to: at(3) }, ['deleted']],
    [
      'everything together',
      { actor: ADA, target: EVE, action: ['user.deleted'], outcome: ['done'], q: 'eve', from: at(3), to: at(3) },
      ['deleted'],
    ],
  ])('%s', async (_, query, expected) => {
    const names = new Map(Object.entries(ROWS).map(([name, { id }]) => [id, name]))
    const { list, walk } = setUp(ALL)
    const page = await list(query)
    expect(idsOf(page).map((id) => names.get(id))).toEqual(expected)
    expect(page).toMatchObject({ nextCursor: null, complete: true })
    expect((await walk({ ...query, limit: 1 })).ids).toEqual(idsOf(page))
  })

  it.each<[string, Partial<TrailQuery>, readonly Parameters<TrailPages>[0]['by'][]]>([
    ['the name of an actor: those of the actor', { actor: 'ada' }, [{ kind: 'actor', name: 'ada' }]],
    ['the id of an account: those under its name', { actor: ADA }, [{ kind: 'actor', name: 'Ada' }]],
    ['the id of no account: all', { actor: EVE }, [{ kind: 'actor', name: EVE }, undefined]],
    ['the name of a target: those of the target', { target: 'bob' }, [{ kind: 'target', name: 'bob' }]],
    ['the id of a target: all', { target: BOB }, [{ kind: 'target', name: BOB }, undefined]],
    ['an actor and a target: those of the target', { actor: ADA, target: 'bob' }, [{ kind: 'target', name: 'bob' }]],
    ['neither: all', { outcome: ['done'] }, [undefined]],
  ])('looks through no more rows than it must for %s', async (_, query, by) => {
    const { list, asked } = setUp(ALL)
    await list(query)
    expect(asked.map((request) => request.by)).toEqual(by)
  })

  it('hides rows that are over, which the table may still have', async () => {
    const rows = [rowAt(1, { endsAt: at(1000) }), rowAt(2, { endsAt: at(1001) })]
    const { clock, list } = setUp(rows)
    clock.advance(999)
    expect(idsOf(await list())).toEqual(['row-2', 'row-1'])
    clock.advance(1)
    expect(idsOf(await list())).toEqual(['row-2'])
    clock.advance(1)
    expect(idsOf(await list())).toEqual([])
  })
})

describe('a long search', () => {
  /** So many rows of Ada, and one of each other, which is older. */
  const many = (count: number) => [
    rowAt(0, { actor: { uid: BOB, name: 'Bob' } }),
    rowAt(1, { actor: { uid: EVE, name: 'eve' } }),
    ...Array.from({ length: count }, (_, index) => rowAt(2 + index)),
  ]

  it.each<[string, Partial<TrailQuery>]>([
    ['a filter', { q: 'bob', action: ['user.changed'] }],
    ['the id of a deleted account, for which it walks all', { actor: EVE }],
  ])('ends after 10,000 rows, is not complete then, and goes on where it ended: %s', async (_, query) => {
    const { list } = setUp(many(MOST_ROWS).map((row) => ({ ...row, target: undefined })))
    const first = await list(query)
    expect(first).toEqual({ entries: [], nextCursor: expect.any(String), complete: false })
    const second = await list({ ...query, cursor: first.nextCursor ?? '' })
    expect(second).toMatchObject({
      entries: [{ actor: { uid: query.actor ?? BOB } }],
      nextCursor: null,
      complete: true,
    })
  })

  it('is complete after exactly so many', async () => {
    const rows = many(MOST_ROWS - 2)
    expect(await setUp(rows).list({ q: 'nowhere' })).toEqual({ entries: [], nextCursor: null, complete: true })
  })

  it('has what it found by then', async () => {
    const rows = many(MOST_ROWS + 1).with(-1, rowAt(MOST_ROWS + 5, { outcome: 'failed' }))
    const page = await setUp(rows).list({ outcome: ['failed'] })
    expect([idsOf(page), page.complete]).toEqual([[`row-${MOST_ROWS + 5}`], false])
  })

  it('ends after two seconds as well, but not before it has looked at anything', async () => {
    const rows = [1, 2, 3, 4, 5].map((time) => rowAt(time))
    const pages = memoryTrailPages(rows, 2)
    const world = setUp(rows, (request) => {
      world.clock.advance(1500)
      return pages(request)
    })
    const first = await world.list({ q: 'nowhere' })
    expect([world.asked.length, first]).toEqual([2, { entries: [], nextCursor: expect.any(String), complete: false }])
    expect(world.asked.map(({ after }) => after?.id)).toEqual([undefined, 'row-4'])
  })

  it('through the rows of nobody goes on through all, and not back to those of nobody', async () => {
    const { list, asked } = setUp(many(MOST_ROWS))
    const first = await list({ actor: EVE })
    await list({ actor: EVE, cursor: first.nextCursor ?? '' })
    expect(asked.map(({ by }) => by?.name).filter((name) => name !== undefined)).toEqual([EVE])
  })
})
