import { expect, it } from 'vitest'
import type { Documents } from '../../../lib/adapters/dynamodb/client.ts'
import { paymentEffect } from '../../../lib/adapters/dynamodb/payment-write.ts'
import { rehearse } from '../../../lib/app/rehearsal.ts'
import { clockIds } from '../../../lib/runtime/ids.ts'
import { provider } from '../../../lib/webhooks/providers/stripe.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { POLICY } from '../../support/fakes/webhooks.ts'
import { stripeEvent } from '../../support/sent-events.ts'

/** A rehearsal against a table that answers so. */
async function rehearsed(send: (command: { input: Record<string, unknown> }) => Promise<unknown>) {
  const sent: Record<string, unknown>[] = []
  const documents = {
    send(command: { input: Record<string, unknown> }) {
      sent.push(command.input)
      return send(command)
    },
  } as unknown as Documents
  const clock = fixedClock()
  const tables = { events: 'events', effects: [paymentEffect('payments')] }
  const parts = { documents, tables, counters: 'counters', clock, ids: clockIds(clock), policy: POLICY }
  await rehearse({ source: provider, body: stripeEvent(2500) }, parts)
  return sent
}

it('asks the store for one write, which no row allows', async () => {
  const [asked, ...others] = await rehearsed(async () => ({}))
  expect(asked).toMatchObject({ TableName: 'counters', Key: { counter: '#' } })
  expect(asked?.['ConditionExpression']).toContain('#minute = :seenMinute')
  expect(asked?.['ExpressionAttributeValues']).toMatchObject({ ':seenMinute': -1 })
  expect(others).toEqual([])
})

it('lets the function start where the store does not answer', async () => {
  await expect(rehearsed(() => Promise.reject(new Error('ECONNREFUSED')))).resolves.toHaveLength(1)
})
