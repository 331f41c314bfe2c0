import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import type { BusMessage } from '../../../lib/messages/message.ts'
import { SlowClient } from '../../../lib/runtime/limits.ts'
import { type AckMode, AckWindow } from '../../../lib/stomp/acks.ts'
import { createBudget, sizeOf } from '../../../lib/stomp/limits.ts'

const messageOf = (text: string): BusMessage => ({
  destination: '/topic/public/a',
  headers: { a: 'b' },
  body: Buffer.from(text),
})

const ONE = sizeOf({ headers: [['a', 'b']], body: Buffer.from('1') })

function windowWith(mode: AckMode, size = 2, bytes = 10 * ONE) {
  const delivered: string[] = []
  const budget = createBudget(bytes)
  const window = new AckWindow({
    mode,
    size,
    budget,
    deliver: ({ body }, number) => delivered.push(`${number}:${Buffer.from(body).toString()}`),
  })
  const offer = (...texts: readonly string[]) => {
    for (const text of texts) window.offer(messageOf(text))
  }
  return { window, budget, delivered, offer }
}

/** Whether there is room now. */
async function hasRoom(window: AckWindow): Promise<boolean> {
  return await Promise.race([window.room().then(() => true), new Promise(setImmediate).then(() => false)])
}

describe('messages that wait for an answer', () => {
  it('do not exist in mode auto', () => {
    const { window, delivered, offer } = windowWith('auto')
    offer('1', '2', '3')
    expect(delivered).toEqual(['1:1', '2:2', '3:3'])
    expect(window.isOutstanding(1)).toBe(false)
  })

  it.each<[AckMode, number, readonly boolean[], readonly string[]]>([
    ['client', 2, [false, false, true, true], ['3:3', '4:4']],
    ['client', 1, [false, true, true, false], ['3:3']],
    ['client-individual', 2, [true, false, true, false], ['3:3']],
    ['client-individual', 1, [false, true, true, false], ['3:3']],
  ])('with %s are settled by an answer to %i, and as many are sent', (mode, answered, outstanding, next) => {
    const { window, delivered, offer } = windowWith(mode)
    offer('1', '2', '3', '4')
    expect(delivered).toEqual(['1:1', '2:2'])
    window.acknowledge(answered)
    expect([1, 2, 3, 4].map((number) => window.isOutstanding(number))).toEqual(outstanding)
    expect(delivered.slice(2)).toEqual(next)
  })

  it('make room for others only when none waits before them', async () => {
    const { window, offer } = windowWith('client-individual', 1)
    expect(await hasRoom(window)).toBe(true)
    offer('1', '2')
    const room = window.room()
    const settled: string[] = []
    void room.then(() => settled.push('room'))
    window.acknowledge(1)
    await new Promise(setImmediate)
    expect(settled).toEqual([])
    expect(await hasRoom(window)).toBe(false)
    window.acknowledge(2)
    await room
    expect(await hasRoom(window)).toBe(true)
  })

  it('are kept within the budget, and give back their part', () => {
    const { window, budget, offer } = windowWith('client', 1, 2 * ONE)
    offer('1', '2', '3')
    expect(() => offer('4')).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
    expect(budget.take(1)).toBe(false)
    window.acknowledge(1)
    expect([budget.take(ONE), budget.take(1)]).toEqual([true, false])
  })

  it('name the reason when one more cannot be kept', () => {
    const { offer } = windowWith('client', 1, 0)
    offer('1')
    const cause = new SlowClient('the client acknowledges too slowly')
    expect(() => offer('2')).toThrow(expect.objectContaining({ cause }))
  })

  it('are given up with their subscription', async () => {
    const { window, budget, delivered, offer } = windowWith('client', 1, ONE)
    offer('1', '2')
    const room = window.room()
    window.close()
    await room
    expect(window.isOutstanding(1)).toBe(false)
    expect([budget.take(ONE), budget.take(1)]).toEqual([true, false])
    budget.give(ONE)
    window.acknowledge(9)
    expect(delivered).toEqual(['1:1'])
  })
})
