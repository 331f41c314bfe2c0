import { describe, expect, it } from 'vitest'
import { createOutbox } from '../../../../lib/adapters/fan-out/outbox.ts'
import type { BusMessage } from '../../../../lib/stomp/bus.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'

const messageOf = (body: string): BusMessage => ({ destination: '/a', headers: {}, body: Buffer.from(body) })

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** An outbox whose texts wait until they are let through or refused. */
function setUp() {
  const time = virtualTime()
  const sent: { readonly text: string; resolve(): void; reject(cause: unknown): void }[] = []
  const delivered: string[] = []
  const outbox = createOutbox({
    origin: 'one',
    timers: time.timers,
    random: () => 0,
    send(text) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      sent.push({ text, resolve, reject })
      return promise
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
  /** The places and bodies of what was sent so far. */
  const publications = () =>
    sent.map(({ text }) => {
      const { number, after, messages } = JSON.parse(text)
      return [number, after, messages?.map((message: { readonly text: string }) => message.text).join()]
    })
  return { time, outbox, sent, delivered, outcomes, publish, publications }
}

describe('an outbox', () => {
  it('sends one publication at a time, which includes all messages since the last one', async () => {
    const { sent, delivered, outcomes, publish, publications } = setUp()
    publish('a')
    publish('b')
    await turn()
    for (const body of ['c', 'd', 'e']) publish(body)
    await turn()
    expect(publications()).toEqual([[1, 0, 'a,b']])
    expect([delivered, outcomes]).toEqual([[], []])
    sent[0]?.resolve()
    await turn()
    expect(publications()).toEqual([
      [1, 0, 'a,b'],
      [2, 1, 'c,d,e'],
    ])
    expect([delivered, outcomes]).toEqual([
      ['a', 'b'],
      ['a is out', 'b is out'],
    ])
    sent[1]?.resolve()
    await turn()
    expect([delivered.join(), outcomes.length]).toEqual(['a,b,c,d,e', 5])
  })

  it('repeats a failed one with the same number, then discards it, and does not deliver it to local clients', async () => {
    const { time, sent, delivered, outcomes, publish, publications } = setUp()
    publish('a')
    publish('b')
    await turn()
    for (let tried = 0; tried < 3; tried += 1) {
      sent[tried]?.reject(new Error('away'))
      await turn()
      time.pass(1000)
      await turn()
    }
    expect([delivered, outcomes]).toEqual([[], ['a: away', 'b: away']])
    publish('c')
    await turn()
    sent[3]?.resolve()
    await turn()
    expect(publications()).toEqual([
      [1, 0, 'a,b'],
      [1, 0, 'a,b'],
      [1, 0, 'a,b'],
      [2, 0, 'c'],
    ])
    expect(delivered).toEqual(['c'])
  })

  it('gives up the ones behind a discarded one to keep the order, and sends later ones', async () => {
    const { time, sent, delivered, outcomes, publish, publications } = setUp()
    publish('a')
    await turn()
    publish('behind a')
    for (let tried = 0; tried < 3; tried += 1) {
      sent[tried]?.reject(new Error('away'))
      await turn()
      time.pass(1000)
      await turn()
    }
    publish('later')
    await turn()
    sent[3]?.resolve()
    await turn()
    expect(outcomes).toEqual(['a: away', 'behind a: away', 'later is out'])
    expect([delivered, publications().at(-1)]).toEqual([['later'], [2, 0, 'later']])
  })

  it('continues after a successful second attempt', async () => {
    const { time, sent, delivered, publish } = setUp()
    publish('a')
    await turn()
    sent[0]?.reject(new Error('away'))
    await turn()
    time.pass(1000)
    await turn()
    sent[1]?.resolve()
    await turn()
    expect(delivered).toEqual(['a'])
  })

  it('sends related messages as one, of any size, and nothing between its parts', async () => {
    const { sent, delivered, outcomes, publish } = setUp()
    publish(...Array.from({ length: 10 }, (_, index) => String(index).repeat(60_000)))
    publish('next')
    for (let part = 0; part < 4; part += 1) {
      await turn()
      expect([part, sent.length]).toEqual([part, part + 1])
      expect([delivered, outcomes]).toEqual([[], []])
      sent[part]?.resolve()
    }
    await turn()
    expect(
      sent
        .slice(0, 4)
        .map(({ text }) => JSON.parse(text))
        .map(({ number, part, parts }) => [number, part, parts]),
    ).toEqual([0, 1, 2, 3].map((part) => [1, part, 4]))
    expect([delivered.length, outcomes]).toEqual([10, ['000000000 is out']])
  })

  it('is idle when everything is sent', async () => {
    const { outbox, sent, publish } = setUp()
    await outbox.idle()
    publish('a')
    let isIdle = false
    void outbox.idle().then(() => (isIdle = true))
    await turn()
    expect(isIdle).toBe(false)
    sent[0]?.resolve()
    await turn()
    expect(isIdle).toBe(true)
  })
})
