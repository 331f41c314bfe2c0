import { describe, expect, it } from 'vitest'
import type { DeliveryAnswer, Parcel } from '../../../../../lib/deliver/carrier.ts'
import { createForward } from '../../../../../localstack/commands/listen/listener.ts'
import { fixedClock } from '../../../../support/fakes/clock.ts'
import { failedEvent } from '../../../../support/fakes/webhooks.ts'

/** Answers one after the other, the last one for good. */
function forwardTo(...answers: readonly string[]) {
  const clock = fixedClock()
  const parcels: Parcel[] = []
  const pauses: number[] = []
  const carrier = {
    async carry(parcel: Parcel): Promise<DeliveryAnswer> {
      parcels.push(parcel)
      const answer = answers[Math.min(parcels.length, answers.length) - 1] ?? ''
      return { kind: answer === 'HTTP 200' ? 'delivered' : 'failed', answer }
    },
  }
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds)
    clock.advance(milliseconds)
  }
  return { forward: createForward({ carrier, clock, steady: clock, sleep }), parcels, pauses }
}

const event = failedEvent()

describe('forwarding', () => {
  it('is retried a few times, each with its number and time, and names the replay', async () => {
    const { forward, parcels, pauses } = forwardTo('HTTP 500', 'connection refused', 'HTTP 200')
    const result = await forward(event, 'r-1')
    expect(result).toEqual({ isDelivered: true, answer: 'HTTP 200', tries: 3, milliseconds: 1200 })
    expect(pauses).toEqual([200, 1000])
    expect(parcels.map(({ attempt, replayId }) => [attempt, replayId])).toEqual([
      [1, 'r-1'],
      [2, 'r-1'],
      [3, 'r-1'],
    ])
    expect(new Set(parcels.map(({ at }) => at.getTime())).size).toBe(3)
  })

  it('gives up, and then delays nothing until an event is delivered', async () => {
    const failures = Array<string>(6).fill('connection refused')
    const { forward, pauses } = forwardTo(...failures, 'HTTP 200', 'HTTP 401')
    const tries: number[] = []
    for (let count = 0; count < 5; count++) tries.push((await forward(event, undefined)).tries)
    expect(tries).toEqual([4, 1, 1, 1, 4])
    expect(pauses).toEqual([200, 1000, 2000, 200, 1000, 2000])
  })

  it('does not repeat a call after a timeout', async () => {
    const { forward, pauses } = forwardTo('timed out')
    expect(await forward(event, undefined)).toMatchObject({ isDelivered: false, answer: 'timed out', tries: 1 })
    expect(pauses).toEqual([])
  })
})
