import { describe, expect, it } from 'vitest'
import { firstIdAt } from '../../../../../lib/runtime/ids.ts'
import { toLocalDateTime } from '../../../../../lib/runtime/time.ts'
import { createChoice } from '../../../../../localstack/commands/listen/choice.ts'
import type { FetchedEvent } from '../../../../../localstack/commands/listen/stage.ts'
import { START } from '../../../../support/fakes/clock.ts'

const start = firstIdAt(START.getTime())

/** An event that was received so many milliseconds after the start, with what its history says. */
function received(after: number, ...moves: readonly (readonly [after: number, by: string])[]): FetchedEvent {
  const at = (milliseconds: number) => toLocalDateTime(new Date(START.getTime() + milliseconds))
  return {
    id: String(firstIdAt(START.getTime() + after)),
    source: 'stripe',
    eventId: `evt-${after}`,
    eventType: 'payment_intent.succeeded',
    receivedAt: at(after),
    headers: {},
    payload: Buffer.from('{}'),
    history: [{ at: at(after), by: 'intake' }, ...moves.map(([when, by]) => ({ at: at(when), by }))],
  }
}

const choose = (sources: readonly string[] = [], types: readonly string[] = []) =>
  createChoice({ sources, types, start })

describe('a listener forwards', () => {
  it('an event that was received after its start, once, whatever its own retries', () => {
    const choice = choose()
    expect(choice.judge(received(10))).toEqual({ kind: 'first', order: undefined })
    expect(choice.judge(received(10, [300_000, 'retry']))).toEqual({ kind: 'no', reason: '' })
  })

  it('an event again for each order of an operator, and names the replay', () => {
    const choice = choose()
    const first = [1000, 'operator admin'] as const
    const second = [2000, 'operator admin: replay r-1: the shop is open: again'] as const
    choice.judge(received(10))
    expect(choice.judge(received(10, first))).toMatchObject({ kind: 'again', order: { replayId: undefined } })
    expect(choice.judge(received(10, first, [1500, 'retry']))).toMatchObject({ kind: 'no' })
    expect(choice.judge(received(10, first, [1500, 'retry'], second))).toMatchObject({
      kind: 'again',
      order: { replayId: 'r-1' },
    })
  })

  it('a late event once, with an order that arrived in the meantime', () => {
    const choice = choose()
    const event = received(10, [1000, 'operator admin: replay r-1'])
    expect(choice.judge(event)).toMatchObject({ kind: 'first', order: { replayId: 'r-1' } })
    expect(choice.judge(event)).toMatchObject({ kind: 'no' })
  })

  it('an earlier event only when an operator has ordered it since, and marks it once', () => {
    const choice = choose()
    expect(choice.judge(received(-5000, [-1000, 'operator admin'], [5, 'retry']))).toEqual({
      kind: 'no',
      reason: 'received earlier',
    })
    expect(choice.judge(received(-5000, [-1000, 'operator admin'], [9, 'retry']))).toEqual({ kind: 'no', reason: '' })
    expect(choice.judge(received(-5000, [20, 'operator admin']))).toMatchObject({ kind: 'again' })
  })
})

describe('a listener skips', () => {
  it.each([
    ['another source', ['shopify'], [], 'source does not match'],
    ['another type', [], ['charge.*', 'payment_intent'], 'type does not match'],
  ])('%s, and gives the reason once for each event', (_, sources, types, reason) => {
    const choice = choose(sources, types)
    expect([choice.unwanted(received(1)), choice.unwanted(received(1)), choice.unwanted(received(2))]).toEqual([
      reason,
      '',
      reason,
    ])
  })

  it('nothing that matches one of its globs', () => {
    expect(choose(['shopify', 'stripe'], ['charge.*', '**']).unwanted(received(1))).toBeUndefined()
  })
})
