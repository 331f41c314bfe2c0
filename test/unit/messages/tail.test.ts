import { describe, expect, it } from 'vitest'
import { contentOf, type MessageRow, messageText } from '../../../lib/messages/message.ts'
import { createTail } from '../../../lib/messages/tail.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryMessages } from '../../support/fakes/messages.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

function setUp() {
  const time = virtualTime()
  const [store, log, delivered] = [new MemoryMessages(), recordingLog(), [] as string[]]
  const deliver = ({ body }: { readonly body: Uint8Array }) => delivered.push(Buffer.from(body).toString())
  const tail = createTail({ origin: 'own', store, log, deliver, clock: time.clock, timers: time.timers })
  /** Another writer stores a row; `number` is also its body. */
  function write(number: number, changes: Partial<MessageRow> = {}): Promise<void> {
    const body = Buffer.from(changes.origin ? `${changes.origin} ${number}` : `${number}`)
    const content = contentOf([messageText({ destination: '/a', headers: {}, body })])
    const at = time.clock.now().getTime()
    return store.put({ at, origin: 'other', number, after: number - 1, content, ...changes })
  }
  /** The next reads. */
  async function read(times = 1): Promise<void> {
    for (let round = 0; round < times; round += 1) {
      time.pass(500)
      await turn()
    }
  }
  async function joined() {
    const leave = tail.join()
    await tail.ready()
    return leave
  }
  return { time, store, log, delivered, tail, write, read, joined }
}

describe('the messages of others', () => {
  it('arrive once each, in the order of their writer, however often they are read', async () => {
    const { delivered, joined, write, read } = setUp()
    await joined()
    for (const number of [1, 2, 3]) await write(number)
    await read(4)
    await write(4)
    await read(20)
    expect(delivered).toEqual(['1', '2', '3', '4'])
  })

  it('do not arrive if they were stored before somebody joined, and make later ones no repeats', async () => {
    const { delivered, joined, write, read, time } = setUp()
    await write(1)
    time.pass(100)
    await joined()
    await write(2)
    await read(3)
    expect(delivered).toEqual(['2'])
  })

  it('arrive also with a time before the last read: clocks differ, and a put takes a while', async () => {
    const { delivered, joined, write, read } = setUp()
    await joined()
    await read(20)
    await write(1, { at: START.getTime() + 10_000 - 4900 })
    await read()
    expect(delivered).toEqual(['1'])
  })

  it('wait for one before them that is read later, and not for one that was given up', async () => {
    const { delivered, joined, write, read } = setUp()
    await joined()
    await write(1)
    await read()
    await write(3)
    await read()
    expect(delivered).toEqual(['1'])
    await write(2, { at: START.getTime() })
    await read()
    expect(delivered).toEqual(['1', '2', '3'])
    await write(5, { after: 3 })
    await read()
    expect(delivered).toEqual(['1', '2', '3', '5'])
  })

  it('do not wait for ever', async () => {
    const { delivered, joined, write, read } = setUp()
    await joined()
    await write(1)
    await read()
    await write(3)
    await read(5)
    expect(delivered).toEqual(['1', '3'])
    await write(2)
    await read(2)
    expect(delivered).toEqual(['1', '3'])
  })

  it('of several writers do not wait for each other', async () => {
    const { delivered, joined, write, read } = setUp()
    await joined()
    await write(1, { origin: 'a' })
    await read()
    await write(3, { origin: 'a' })
    await write(7, { origin: 'b' })
    await read()
    expect(delivered).toEqual(['a 1', 'b 7'])
  })

  it('are not those of this instance', async () => {
    const { delivered, joined, write, read } = setUp()
    await joined()
    await write(1, { origin: 'own' })
    await read(2)
    expect(delivered).toEqual([])
  })

  it('Q12 are dropped when none of us wrote them, and only their number is logged', async () => {
    const { delivered, joined, log, write, read } = setUp()
    await joined()
    await write(1, { content: '"secret"' })
    await write(2)
    await read(3)
    expect(delivered).toEqual(['2'])
    expect(log.of('a stored message has no known form')).toEqual([{ origin: 'other', number: 1 }])
  })
})

describe('reads', () => {
  it('are made while somebody has joined, and no others', async () => {
    const { store, tail, read, joined, time } = setUp()
    await read(3)
    expect(store.reads).toBe(0)
    const [one, other] = [await joined(), tail.join()]
    await read(2)
    expect(store.reads).toBe(3)
    one()
    one()
    await read()
    expect(store.reads).toBe(4)
    other()
    await read(3)
    expect([store.reads, time.pending()]).toEqual([4, 0])
  })

  it('begin anew for who joins later', async () => {
    const { delivered, joined, write, read } = setUp()
    const leave = await joined()
    leave()
    await write(1)
    await read()
    await joined()
    await write(2)
    await read()
    expect(delivered).toEqual(['2'])
  })

  it('of those who have left change nothing for who joins later', async () => {
    const { time, log, delivered, write, store } = setUp()
    const answers: (() => void)[] = []
    const slow = {
      since: (from: number) =>
        new Promise<readonly MessageRow[]>((resolve) =>
          answers.push(() => resolve(store.rows.filter(({ at }) => at >= from))),
        ),
    }
    const deliver = ({ body }: { readonly body: Uint8Array }) => delivered.push(Buffer.from(body).toString())
    const tail = createTail({ origin: 'own', store: slow, log, deliver, clock: time.clock, timers: time.timers })
    tail.join()()
    await write(1)
    tail.join()
    answers[0]?.()
    await turn()
    expect(tail.ready()).toBeDefined()
    answers[1]?.()
    await turn()
    expect([tail.ready(), delivered]).toEqual([undefined, []])
  })

  it('find what is stored after the clock went ahead and came back', async () => {
    const { time, store, log, delivered, write, read } = setUp()
    const clock = fixedClock()
    const deliver = ({ body }: { readonly body: Uint8Array }) => delivered.push(Buffer.from(body).toString())
    const tail = createTail({ origin: 'own', store, log, deliver, clock, timers: time.timers })
    tail.join()
    await tail.ready()
    clock.advance(3_600_000)
    await read()
    clock.advance(-3_600_000)
    await write(1)
    await read(2)
    expect(delivered).toEqual(['1'])
  })

  it('Q18 that fail lose nothing, and say so once', async () => {
    const { store, log, delivered, joined, write, read } = setUp()
    await joined()
    await write(1)
    await read()
    store.isDown = true
    await read(60)
    store.isDown = false
    await write(2, { at: START.getTime() + 6000 })
    await write(3)
    await read()
    expect(delivered).toEqual(['1', '2', '3'])
    expect(log.of('messages cannot be read')).toHaveLength(1)
    expect(log.of('messages can be read again')).toHaveLength(1)
  })

  it('that fail at first make nobody wait, and what is stored from then on arrives', async () => {
    const { time, store, delivered, tail, write, read } = setUp()
    await write(1)
    time.pass(100)
    store.isDown = true
    tail.join()
    await tail.ready()
    store.isDown = false
    await write(2)
    await read()
    expect(tail.ready()).toBeUndefined()
    expect(delivered).toEqual(['2'])
  })
})
