import { describe, expect, it } from 'vitest'
import { fail } from '../../../lib/errors.ts'
import { statusFor } from '../../../lib/http/status.ts'
import type { State } from '../../../lib/runtime/part-states.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { httpEvent } from '../../support/fakes/http.ts'
import { ALICE, BOB } from '../../support/fakes/pages.ts'

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
    [['slow', 'down'], 'down'],
  ])('of parts that are %j is %s', async (states, state) => {
    expect((await asked(undefined, false, states)).state).toBe(state)
  })
})
