import { describe, expect, it } from 'vitest'
import { type StagePart, watchParts } from '../../../lib/runtime/part-states.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

interface Played {
  readonly part: StagePart
  looks(): number
}

/** A part that answers when it is told to. */
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

  it('is down if it takes longer than three seconds, when the check ends', async () => {
    const signals: AbortSignal[] = []
    const { look, pass } = watched(
      played('directory', (signal) => {
        signals.push(signal)
        return never()
      }),
    )
    const states = look()
    pass(3000)
    expect((await states).parts).toMatchObject([{ state: 'down' }])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('a check of the parts', () => {
  it('is shared by all callers of ten seconds, including that of a part that is down', async () => {
    const part = played('database', () => Promise.reject(new Error('gone')))
    const { look, pass } = watched(part)
    const first = await Promise.all([look(), look()])
    pass(9999)
    expect([...first, await look()].map(({ lookedAt }) => lookedAt)).toEqual(Array(3).fill(first[0]?.lookedAt))
    expect(part.looks()).toBe(1)
    pass(1)
    await look()
    expect(part.looks()).toBe(2)
  })
})
