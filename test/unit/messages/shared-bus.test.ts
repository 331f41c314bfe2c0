import { describe, expect, it } from 'vitest'
import type { BusMessage, MessageRow } from '../../../lib/messages/message.ts'
import { createOutbox } from '../../../lib/messages/shared-bus.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

const messageOf = (body: string): BusMessage => ({ destination: '/a', headers: {}, body: Buffer.from(body) })

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** An outbox whose rows wait until they are let through or refused. */
function setUp() {
  const time = virtualTime()
  const put: { readonly row: MessageRow; resolve(): void; reject(cause: unknown): void }[] = []
  const delivered: string[] = []
  const outbox = createOutbox({
    origin: 'one',
    clock: time.clock,
    timers: time.timers,
    random: () => 1,
    store: {
      put(row) {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        put.push({ row, resolve, reject })
        return promise
      },
    },
    deliver: ({ body }) => delivered.push(Buffer.from(body).toString()),
  })
  const outcomes: string[] = []
  function publish(...bodies: readonly string[]): void {
    const name = bodies[0]?.slice(0, 9) ?? ''
    outbox.publish(bodies.map(messageOf)).then(
      () => outcomes.push(`${name} is out`),
      (cause: Error) => outcomes.push(`${name}: ${cause.message}`),
    )
  }
  /** Refuses a row and its repeats. */
  async function refuse(first: number): Promise<void> {
    for (let tried = first; tried < first + 3; tried += 1) {
      put[tried]?.reject(new Error('away'))
      await turn()
      time.pass(1000)
      await turn()
    }
  }
  /** The numbers and bodies of what was put so far. */
  const rows = () =>
    put.map(({ row: { number, after, content } }) => {
      const texts = JSON.parse(content).map((message: { readonly text: string }) => message.text)
      return [number, after, texts.join()]
    })
  return { time, outbox, put, delivered, outcomes, publish, refuse, rows }
}

describe('an outbox', () => {
  it('stores one row at a time, which includes all messages since the last one', async () => {
    const { put, delivered, outcomes, publish, rows } = setUp()
    publish('a')
    publish('b')
    await turn()
    for (const body of ['c', 'd', 'e']) publish(body)
    await turn()
    expect(rows()).toEqual([[1, 0, 'a,b']])
    expect([delivered, outcomes]).toEqual([[], []])
    put[0]?.resolve()
    await turn()
    expect(rows().slice(1)).toEqual([[2, 1, 'c,d,e']])
    expect([delivered, outcomes]).toEqual([
      ['a', 'b'],
      ['a is out', 'b is out'],
    ])
    put[1]?.resolve()
    await turn()
    expect([delivered.join(), outcomes.length]).toEqual(['a,b,c,d,e', 5])
  })

  it('repeats a failed row with the same number and a new time, then gives it up, and delivers nothing of it', async () => {
    const { put, delivered, outcomes, publish, refuse, rows } = setUp()
    publish('a')
    publish('b')
    await turn()
    await refuse(0)
    expect([delivered, outcomes]).toEqual([[], ['a: away', 'b: away']])
    publish('c')
    await turn()
    put[3]?.resolve()
    await turn()
    expect(rows()).toEqual([...Array(3).fill([1, 0, 'a,b']), [2, 0, 'c']])
    const times = put.map(({ row }) => row.at)
    expect(new Set(times)).toHaveLength(4)
    expect(times).toEqual(times.toSorted())
    expect(delivered).toEqual(['c'])
  })

  it('gives up the ones behind to keep the order, and stores later ones', async () => {
    const { put, delivered, outcomes, publish, refuse, rows } = setUp()
    publish('a')
    await turn()
    publish('behind a')
    await refuse(0)
    publish('later')
    await turn()
    put[3]?.resolve()
    await turn()
    expect(outcomes).toEqual(['a: away', 'behind a: away', 'later is out'])
    expect([delivered, rows().at(-1)]).toEqual([['later'], [2, 0, 'later']])
  })

  it('continues after a successful second attempt', async () => {
    const { time, put, delivered, publish } = setUp()
    publish('a')
    await turn()
    put[0]?.reject(new Error('away'))
    await turn()
    time.pass(1000)
    await turn()
    put[1]?.resolve()
    await turn()
    expect(delivered).toEqual(['a'])
  })

  it('never writes a row under an earlier time than the one before', async () => {
    const { time, put, publish } = setUp()
    publish('a')
    await turn()
    put[0]?.resolve()
    time.clock.advance(-60_000)
    publish('b')
    await turn()
    expect(put[1]?.row.at).toBe(put[0]?.row.at)
  })

  it('refuses what belongs together and fits into no row, and nothing else', async () => {
    const { put, outcomes, publish } = setUp()
    publish(...Array.from({ length: 5 }, (_, index) => String(index).repeat(50_000)))
    publish('next')
    await turn()
    put[0]?.resolve()
    await turn()
    expect(outcomes).toEqual(['000000000: Payload too large', 'next is out'])
    expect(put).toHaveLength(1)
  })

  it('keeps a row within its limit, and what belongs together in one', async () => {
    const { put, outcomes, publish } = setUp()
    for (let entry = 0; entry < 6; entry += 1) publish('a'.repeat(50_000), 'b'.repeat(50_000))
    for (let row = 0; row < 3; row += 1) {
      await turn()
      put[row]?.resolve()
    }
    await turn()
    expect(put.map(({ row }) => JSON.parse(row.content).length)).toEqual([4, 4, 4])
    for (const { row } of put) expect(Buffer.byteLength(row.content)).toBeLessThanOrEqual(250_000)
    expect(outcomes).toHaveLength(6)
  })

  it('is idle when everything is stored', async () => {
    const { outbox, put, publish } = setUp()
    await outbox.idle()
    publish('a')
    let isIdle = false
    void outbox.idle().then(() => (isIdle = true))
    await turn()
    expect(isIdle).toBe(false)
    put[0]?.resolve()
    await turn()
    expect(isIdle).toBe(true)
  })
})
