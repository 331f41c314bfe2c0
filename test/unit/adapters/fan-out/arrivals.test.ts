import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createArrivals } from '../../../../lib/adapters/fan-out/arrivals.ts'
import { readNotification } from '../../../../lib/adapters/fan-out/notification.ts'
import { type Arrived, messageText, textsOf } from '../../../../lib/adapters/fan-out/publication.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'

function setUp() {
  const time = virtualTime()
  const log = recordingLog()
  const heard: string[] = []
  const arrivals = createArrivals({
    timers: time.timers,
    log,
    deliver: ({ body }) => heard.push(Buffer.from(body).toString().slice(0, 5)),
  })
  const warnings = () => log.entries.filter(({ level }) => level === 'warn').length
  return { time, arrivals, heard, warnings }
}

/** A publication of one message, its number. */
const whole = (number: number, after = number - 1, origin = 'one'): Arrived => ({
  origin,
  number,
  after,
  part: 0,
  parts: 1,
  content: [{ destination: '/a', headers: {}, body: Buffer.from(`${number}`) }],
})

/** One that SNS takes in two parts only. */
function twoParts(number: number, after = number - 1): readonly [Arrived, Arrived] {
  const body = Buffer.from(`${number}`.padEnd(300_000))
  const texts = textsOf({ origin: 'one', number, after }, [messageText({ destination: '/a', headers: {}, body })])
  return texts.map((text) => {
    const notification = readNotification(text)
    if (notification?.kind !== 'messages') throw new Error('none of ours')
    return notification.arrived
  }) as unknown as readonly [Arrived, Arrived]
}

describe('a message of another instance', () => {
  it('is delivered on arrival, in the order of its numbers', () => {
    const { arrivals, heard } = setUp()
    for (const number of [1, 2, 3]) arrivals.take(whole(number))
    expect(heard).toEqual(['1', '2', '3'])
  })

  it('waits for a late one, and is delivered once however often it arrives', () => {
    const { arrivals, heard, warnings, time } = setUp()
    for (const number of [1, 4, 3, 4, 1]) arrivals.take(whole(number))
    expect(heard).toEqual(['1'])
    time.pass(4999)
    arrivals.take(whole(2))
    time.pass(60_000)
    expect([heard, warnings()]).toEqual([['1', '2', '3', '4'], 0])
  })

  it('does not wait for one that its sender has given up', () => {
    const { arrivals, heard } = setUp()
    arrivals.take(whole(1))
    arrivals.take(whole(4, 1))
    arrivals.take(whole(3, 1))
    expect(heard).toEqual(['1', '4'])
  })

  it('is delivered after five seconds without a lost one, with a warning, and the lost one is not delivered after it', () => {
    const { arrivals, heard, warnings, time } = setUp()
    for (const number of [1, 3, 4, 7]) arrivals.take(whole(number))
    time.pass(5000)
    expect([heard, warnings()]).toEqual([['1', '3', '4'], 1])
    arrivals.take(whole(2))
    time.pass(5000)
    expect([heard, warnings()]).toEqual([['1', '3', '4', '7'], 2])
  })

  it('from a running stream is delivered after a second, in order with the earlier ones', () => {
    const { arrivals, heard, warnings, time } = setUp()
    arrivals.take(whole(8))
    arrivals.take(whole(7))
    expect(heard).toEqual([])
    time.pass(1000)
    expect([heard, warnings()]).toEqual([['7', '8'], 0])
    arrivals.take(whole(9))
    expect(heard).toEqual(['7', '8', '9'])
  })

  it('is not delayed by the messages of a third instance', () => {
    const { arrivals, heard } = setUp()
    arrivals.take(whole(1))
    arrivals.take(whole(3))
    arrivals.take(whole(1, 0, 'other'))
    expect(heard).toEqual(['1', '1'])
  })

  it('in parts is delivered when all of them have arrived, in any order', () => {
    const { arrivals, heard } = setUp()
    const [first, second] = twoParts(1)
    arrivals.take(second)
    arrivals.take(second)
    arrivals.take(whole(2))
    expect(heard).toEqual([])
    arrivals.take(first)
    expect(heard).toEqual([expect.stringMatching(/^1 /), '2'])
  })

  it('in parts with a lost one is not delivered at all', () => {
    const { arrivals, heard, warnings, time } = setUp()
    const [first, second] = twoParts(1)
    arrivals.take(first)
    time.pass(5000)
    expect([heard, warnings()]).toEqual([[], 1])
    arrivals.take(second)
    arrivals.take(whole(2))
    expect(heard).toEqual(['2'])
  })

  it('in parts that the sender has given up is skipped', () => {
    const { arrivals, heard } = setUp()
    arrivals.take(whole(1))
    arrivals.take(twoParts(2)[0])
    arrivals.take(whole(3, 1))
    expect(heard).toEqual(['1', '3'])
  })

  it('is complete and in order, however SNS and SQS mix it within five seconds', () => {
    const count = 30
    const arrivals = fc
      .array(fc.nat({ max: 4000 }), { minLength: count, maxLength: count })
      .chain((delays) => fc.tuple(fc.constant(delays), fc.array(fc.nat({ max: count - 1 }), { maxLength: 10 })))
    fc.assert(
      fc.property(arrivals, ([delays, repeats]) => {
        const { arrivals, heard, time, warnings } = setUp()
        arrivals.take(whole(1))
        const arriving = [...delays.keys(), ...repeats].map((index) => [delays[index] ?? 0, index + 2] as const)
        let now = 0
        for (const [at, number] of arriving.sort(([one], [other]) => one - other)) {
          time.pass(at - now)
          now = at
          arrivals.take(whole(number))
        }
        expect(heard).toEqual(Array.from({ length: count + 1 }, (_, index) => `${index + 1}`))
        expect(warnings()).toBe(0)
      }),
    )
  })

  it('is dropped for the instance that was silent for the longest time, when there are too many', () => {
    const { arrivals, heard } = setUp()
    for (let index = 0; index < 300; index += 1) arrivals.take(whole(1, 0, `origin-${index}`))
    arrivals.take(whole(1, 0, 'origin-299'))
    expect(heard).toHaveLength(300)
    arrivals.take(whole(1, 0, 'origin-0'))
    expect(heard).toHaveLength(301)
  })
})
