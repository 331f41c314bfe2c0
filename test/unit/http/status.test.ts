import { describe, expect, it } from 'vitest'
import { fail } from '../../../lib/errors.ts'
import { type StagePart, type State, statusFor, watchParts } from '../../../lib/http/status.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { httpEvent } from '../../support/fakes/http.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { ALICE, BOB } from '../../support/fakes/pages.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

const PARTS = [
  { name: 'database', address: 'db.test', state: 'ok' },
  { name: 'queue', address: 'queue.test', state: 'ok', waiting: 3 },
] as const

const BARE = [
  { name: 'database', state: 'ok', ageSeconds: 4 },
  { name: 'queue', state: 'ok', ageSeconds: 4 },
]

function asked(session?: string, isLocal = false, states: readonly State[] = ['ok', 'ok']) {
  const clock = fixedClock()
  clock.advance(4999)
  const checks = {
    async session(id: string) {
      if (id === 'down') throw fail('UNAVAILABLE')
      return { alice: ALICE, bob: BOB }[id]
    },
  }
  const parts = PARTS.map((part, index) => ({ ...part, state: states[index] ?? 'ok' }))
  return statusFor(httpEvent(session === undefined ? {} : { cookies: [`JSESSIONID=${session}`] }), {
    clock,
    checks,
    isLocal,
    states: async () => ({ parts, lookedAt: START }),
  })
}

describe('the status of the service', () => {
  it.each([
    ['nobody', undefined],
    ['a user', 'bob'],
    ['a session that has ended', 'eve'],
    ['a session that cannot be read', 'down'],
  ])('has no addresses and no counts for %s', async (_, session) => {
    expect(await asked(session)).toEqual({ state: 'ok', parts: BARE })
  })

  it.each([
    ['an administrator', 'alice', false],
    ['every caller on the local stage', undefined, true],
  ])('has them for %s', async (_, session, isLocal) => {
    const { parts } = await asked(session, isLocal)
    expect(parts).toEqual(PARTS.map((part) => ({ ...part, ageSeconds: 4 })))
  })

  it.each<readonly [readonly State[], State]>([
    [['ok', 'slow'], 'slow'],
    [['slow', 'silent'], 'silent'],
    [['silent', 'down'], 'down'],
  ])('of parts that are %j is %s', async (states, state) => {
    expect((await asked(undefined, false, states)).state).toBe(state)
  })
})

interface Played {
  readonly part: StagePart
  looks(): number
}

/** A part that answers when the test lets it. */
function played(name: string, look: StagePart['look']): Played {
  let count = 0
  return {
    part: {
      name,
      address: `${name}.test`,
      look(signal) {
        count++
        return look(signal)
      },
    },
    looks: () => count,
  }
}

const never = () => new Promise<never>(() => {})

function watched(...parts: readonly Played[]) {
  const time = virtualTime()
  const log = recordingLog()
  const look = watchParts(
    parts.map(({ part }) => part),
    { clock: time.clock, timers: time.timers, log },
  )
  return { ...time, log, look }
}

describe('the state of a part', () => {
  it('is ok if it answers at once, with the number of its waiting messages', async () => {
    const { look } = watched(played('queue', async () => 3))
    expect((await look()).parts).toEqual([{ name: 'queue', address: 'queue.test', state: 'ok', waiting: 3 }])
  })

  it.each([
    [1000, 'ok'],
    [1001, 'slow'],
    [2999, 'slow'],
  ])('that takes %i ms is %s', async (milliseconds, state) => {
    const answer = Promise.withResolvers<undefined>()
    const { look, pass } = watched(played('database', () => answer.promise))
    const states = look()
    pass(milliseconds)
    answer.resolve(undefined)
    expect((await states).parts).toMatchObject([{ state }])
  })

  it.each<[string, () => Promise<never>]>([
    ['fails', () => Promise.reject(new Error('gone'))],
    [
      'throws',
      () => {
        throw new Error('no settings')
      },
    ],
  ])('is down if its check %s, which is logged and does not affect the others', async (_, fail) => {
    const { look, log } = watched(
      played('database', fail),
      played('queue', async () => 0),
    )
    expect((await look()).parts).toEqual([
      { name: 'database', address: 'database.test', state: 'down' },
      { name: 'queue', address: 'queue.test', state: 'ok', waiting: 0 },
    ])
    expect(log.of('a part does not answer').map(({ part }) => part)).toEqual(['database'])
  })

  it('is silent if it gives no answer in three seconds, when the check ends', async () => {
    const signals: AbortSignal[] = []
    const { look, pass } = watched(
      played('directory', (signal) => {
        signals.push(signal)
        return never()
      }),
    )
    const states = look()
    pass(3000)
    expect((await states).parts).toMatchObject([{ state: 'silent' }])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('a check of the parts', () => {
  it('is shared by all callers of ten seconds, including that of a part that is down', async () => {
    const part = played('database', () => Promise.reject(new Error('gone')))
    const { look, pass, clock } = watched(part)
    const first = await Promise.all([look(), look()])
    pass(9999)
    expect([...first, await look()].map(({ lookedAt }) => lookedAt)).toEqual(Array(3).fill(first[0]?.lookedAt))
    expect(part.looks()).toBe(1)
    pass(1)
    await look()
    expect(part.looks()).toBe(2)
    clock.advance(-3_600_000)
    await look()
    expect(part.looks()).toBe(3)
  })
})
