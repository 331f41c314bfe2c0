import { describe, expect, it } from 'vitest'
import { CursorRefused, type HeardNotice } from '../../../../../localstack/commands/listen/feed.ts'
import { follow, stageOutage } from '../../../../../localstack/commands/listen/outage.ts'
import { StageAway } from '../../../../../localstack/commands/listen/stage.ts'
import { StartError } from '../../../../../localstack/errors.ts'

function recordedOutage() {
  const told: string[] = []
  const pauses: number[] = []
  const outage = stageOutage({
    sleep: async (milliseconds) => pauses.push(milliseconds),
    away: (reason) => told.push(reason),
    back: () => told.push('back'),
  })
  return { outage, told, pauses }
}

/** Fails so often, then succeeds. */
function failing(count: number, failure: () => Error = () => new StageAway('nothing answers')) {
  let left = count
  return async () => {
    if (left-- > 0) throw failure()
    return 'done'
  }
}

describe('during an outage of the service', () => {
  it('a listener waits longer each time, and reports the outage once', async () => {
    const { outage, told, pauses } = recordedOutage()
    expect(await outage.outlast(failing(8))).toBe('done')
    expect(pauses).toEqual([250, 500, 1000, 2000, 5000, 10_000, 10_000, 10_000])
    expect(told).toEqual(['nothing answers', 'back'])
  })

  it('it does not report a connection that ended once', async () => {
    const { outage, told } = recordedOutage()
    await outage.outlast(failing(1))
    await outage.outlast(failing(1))
    expect(told).toEqual([])
  })

  it('it waits as long as Retry-After requires, at most five minutes', async () => {
    const { outage, pauses } = recordedOutage()
    await outage.outlast(failing(1, () => new StageAway('429', { retryAfter: 7000 })))
    await outage.outlast(failing(1, () => new StageAway('503', { retryAfter: 10 ** 9 })))
    expect(pauses).toEqual([7000, 300_000])
  })

  it('it ends for a permanent error', async () => {
    const { outage, pauses } = recordedOutage()
    await expect(outage.outlast(failing(1, () => new StartError('no role')))).rejects.toThrow('no role')
    expect(pauses).toEqual([])
  })
})

const notice = (cursor: string): HeardNotice => ({ event: undefined, cursor })

/** Takes so many notices, and where each connection began. */
async function taken(count: number, connections: readonly (readonly (string | Error)[])[]) {
  const { outage, told } = recordedOutage()
  const begun: string[] = []
  async function* next(from: string): AsyncGenerator<HeardNotice> {
    const given = connections[begun.length] ?? []
    begun.push(from)
    for (const one of given) {
      if (one instanceof Error) throw one
      yield notice(one)
    }
  }
  async function* polled(from: string): AsyncGenerator<HeardNotice> {
    begun.push(`polled ${from}`)
    yield notice('p')
  }
  const heard: string[] = []
  const parts = { notices: next, polled, outage, refused: () => told.push('refused') }
  for await (const { cursor } of follow(parts)('start')) {
    heard.push(cursor)
    if (heard.length === count) break
  }
  return { heard, begun, told }
}

describe('a listener that loses its connection', () => {
  it('continues after the last processed event', async () => {
    const away = new StageAway('the stream ended')
    const { heard, begun, told } = await taken(3, [['a', 'b', away], [away], ['c']])
    expect(heard).toEqual(['a', 'b', 'c'])
    expect(begun).toEqual(['start', 'b', 'b'])
    expect(told).toEqual(['the stream ended', 'back'])
  })

  it('continues with the list of events if its cursor is refused', async () => {
    const { heard, begun, told } = await taken(2, [['a', new StageAway('ended')], [new CursorRefused('too old')]])
    expect(heard).toEqual(['a', 'p'])
    expect(begun).toEqual(['start', 'a', 'polled a'])
    expect(told).toEqual(['refused'])
  })

  it('ends when it is refused', async () => {
    await expect(taken(2, [['a', new StartError('The token is no longer good')]])).rejects.toThrow('no longer good')
  })
})
