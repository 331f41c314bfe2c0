import { Buffer } from 'node:buffer'
import { expect } from 'vitest'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import { payment } from '../support/events.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { leaveBehind } from '../support/local-tables.ts'
import { meanwhile } from '../support/meanwhile.ts'
import type { Checks } from './checks.ts'
import { exhaustedPayment, FAILURE } from './failing-payment.ts'
import { eventWhen, findEvent, isDead, isProcessed, movesOf, storedPayment } from './stored-events.ts'
import { eventB, expectTextB, postB, signatureB } from './webhook-signatures.ts'
import type { World } from './world.ts'

const MINUTE = 60_000

const fromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE)

/** A payment that failed six minutes ago, nobody being told of it, and whose handling would end well now. */
async function failedPayment(changes: Partial<WebhookEvent> = {}) {
  const body = payment()
  const eventId = String(body['eventId'])
  const times = { receivedAt: fromNow(-6), nextRetryAt: fromNow(-1) }
  const payload = Buffer.from(JSON.stringify(body))
  await leaveBehind(failedEvent({ source: 'payment', eventId, payload, ...times, ...changes }))
  return { eventId, transactionId: body['transactionId'] }
}

/** An event of provider B whose handler ran. */
async function pushed(world: World) {
  const payload = eventB()
  const delivery = crypto.randomUUID()
  expectTextB(await postB(payload, signatureB(payload), 'push', delivery), 'accepted')
  return eventWhen(world, 'github', delivery, isProcessed)
}

const exhausted = async (world: World) => eventWhen(world, 'payment', await exhaustedPayment(), isDead)

const ALL_MOVES = ['FAILED intake', ...Array(3).fill(['RETRY retry', 'FAILED retry']).flat()]

/** The states after the receipt (retries-1). */
export const retryChecks = {
  '3.1/states': async (world) => {
    const moves = [...movesOf(await pushed(world)), ...movesOf(await exhausted(world))]
    const states = new Set(moves.map((move) => move.split(' ')[0]))
    expect(states).toEqual(new Set(['RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED', 'RETRY']))
  },

  '3.1/retry-processed': async (world) => {
    const isMeanwhile = meanwhile()
    const { eventId, transactionId } = await failedPayment()
    const event = await eventWhen(world, 'payment', eventId, isProcessed)
    expect(event).toMatchObject({ attempts: 1, errorMessage: null, nextRetryAt: null })
    expect(Date.parse(`${event.processedAt}Z`)).toSatisfy(isMeanwhile)
    expect(movesOf(event)).toEqual(['FAILED intake', 'RETRY retry', 'PROCESSED retry'])
    expect(await storedPayment(transactionId)).toMatchObject({ status: 'COMPLETED' })
  },

  '3.1/retry-failed': async (world) => {
    const hasFailedAgain = ({ status, attempts }: { status: string; attempts: number }) =>
      status === 'FAILED' && attempts > 0
    const event = await eventWhen(world, 'payment', await exhaustedPayment(), hasFailedAgain)
    expect(event).toMatchObject({ errorMessage: FAILURE, processedAt: null })
    expect(movesOf(event).slice(0, 3)).toEqual(ALL_MOVES.slice(0, 3))
    expect(event.history[2]).toMatchObject({ error: FAILURE })
  },

  '3.1/retry-exhausted': async (world) => {
    for (const attempts of [3, 4]) {
      const { eventId, transactionId } = await failedPayment({ attempts })
      const event = await eventWhen(world, 'payment', eventId, isDead)
      expect(event).toMatchObject({ status: 'FAILED', attempts, nextRetryAt: null, errorMessage: 'unexpected error' })
      expect(await storedPayment(transactionId)).toBeUndefined()
    }
  },

  '3.1/retry-early': async (world) => {
    const early = await failedPayment({ nextRetryAt: fromNow(1) })
    const before = await findEvent(world, 'payment', early.eventId)
    const due = await failedPayment()
    await eventWhen(world, 'payment', due.eventId, isProcessed)
    expect(await findEvent(world, 'payment', early.eventId)).toEqual(before)
    expect(before).toMatchObject({ status: 'FAILED', attempts: 0 })
  },

  '3.1/initial-status': async (world) => {
    expect(movesOf(await pushed(world))).toEqual(['RECEIVED intake', 'PROCESSING worker', 'PROCESSED worker'])
    expect(movesOf(await exhausted(world))).toEqual(ALL_MOVES)
  },

  '3.1/attempt-count': async (world) => {
    const event = await exhausted(world)
    const retries = movesOf(event).filter((move) => move === 'RETRY retry')
    expect(event.attempts).toBe(retries.length)
    expect(await pushed(world)).toMatchObject({ attempts: 0 })
  },
} satisfies Checks<'3.1'>
