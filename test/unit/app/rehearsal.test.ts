import { Readable } from 'node:stream'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { expect, it, onTestFinished, vi } from 'vitest'
import { paymentEffect } from '../../../lib/adapters/dynamodb/payment-write.ts'
import { rehearse } from '../../../lib/app/rehearsal.ts'
import { clockIds } from '../../../lib/runtime/ids.ts'
import { provider } from '../../../lib/webhooks/providers/stripe.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { POLICY } from '../../support/fakes/webhooks.ts'
import { stripeEvent } from '../../support/sent-events.ts'

/** The requests that a rehearsal sends to a table which answers so. */
async function rehearsed(answer: () => Promise<string>) {
  const sent: Record<string, unknown>[] = []
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
    requestHandler: {
      async handle({ body }: { body: string }) {
        sent.push(JSON.parse(body))
        const headers = { 'content-type': 'application/x-amz-json-1.0' }
        return { response: { statusCode: 200, headers, body: Readable.from([await answer()]) } }
      },
    },
  })
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
  const clock = fixedClock()
  const tables = { events: 'events', effects: [paymentEffect('payments')] }
  const parts = { documents, tables, counters: 'counters', clock, ids: clockIds(clock), policy: POLICY }
  await rehearse({ source: provider, body: stripeEvent(2500) }, parts)
  return sent
}

it('sends one write to the store, which no row allows', async () => {
  const [asked, ...others] = await rehearsed(async () => '{}')
  expect(asked).toMatchObject({ TableName: 'counters', Key: { counter: { S: '#' } } })
  expect(asked?.['ConditionExpression']).toContain('#minute = :seenMinute')
  expect(asked?.['ExpressionAttributeValues']).toMatchObject({ ':seenMinute': { N: '-1' } })
  expect(others).toEqual([])
})

it('writes nothing to the log, also if the store does not answer', async () => {
  const written = [vi.spyOn(console, 'log'), vi.spyOn(process.stdout, 'write')]
  onTestFinished(() => void vi.restoreAllMocks())
  await rehearsed(async () => '{}')
  await rehearsed(() => Promise.reject(new Error('ECONNREFUSED')))
  for (const spy of written) expect(spy).not.toHaveBeenCalled()
})

it('does not prevent the start of the function when the store does not answer', async () => {
  await expect(rehearsed(() => Promise.reject(new Error('ECONNREFUSED')))).resolves.toHaveLength(1)
})
