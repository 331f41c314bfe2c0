import { expect } from 'vitest'
import { payment, postPayment } from '../support/events.ts'
import type { Checks } from './checks.ts'
import { FAILURE, failingPayment } from './failing-payment.ts'
import { findEvent, movesOf, storedPayment } from './stored-events.ts'
import { DUPLICATE, expectResponse, PROCESSED } from './webhook-signatures.ts'

const A_TIME = expect.stringMatching(/^\d{4}-/)

/** The states at the receipt of an event (retries-2 to retries-5). */
export const transitionChecks = {
  '3.1/duplicate': async (world) => {
    const first = payment()
    expectResponse(await postPayment(first), 200, PROCESSED)
    const stored = await findEvent(world, 'payment', first['eventId'])
    const again = payment({ eventId: first['eventId'], status: 'REFUNDED' })
    for (const body of [first, again]) expectResponse(await postPayment(body), 200, DUPLICATE)
    // All that the record says of the second call is that there was one with another content.
    const { idConflict, ...kept } = await findEvent(world, 'payment', first['eventId'])
    expect(idConflict).toMatchObject({ count: 1 })
    expect({ ...kept, idConflict: null }).toEqual(stored)
    expect(await storedPayment(again['transactionId'])).toBeUndefined()
  },

  '3.1/processed': async (world) => {
    for (const status of ['COMPLETED', 'FAILED', 'REFUNDED', 'PENDING', 'PROCESSING', 'CANCELLED']) {
      const body = payment({ status })
      expectResponse(await postPayment(body), 200, PROCESSED)
      const event = await findEvent(world, 'payment', body['eventId'])
      expect(event, status).toMatchObject({ status: 'PROCESSED', processedAt: A_TIME, errorMessage: null })
      expect(movesOf(event), status).toEqual(['PROCESSED intake'])
    }
  },

  '3.1/failed': async (world) => {
    const body = await failingPayment()
    expectResponse(await postPayment(body), 500, `Processing failed: ${FAILURE}`)
    const event = await findEvent(world, 'payment', body.eventId)
    expect(event).toMatchObject({ processedAt: null, errorMessage: FAILURE })
    // Its first retry may have begun.
    expect(movesOf(event)[0]).toBe('FAILED intake')
  },
} satisfies Checks<'3.1'>
