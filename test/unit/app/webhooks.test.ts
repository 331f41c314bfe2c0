import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterEach, expect, it, vi } from 'vitest'
import { makeWebhooks } from '../../../lib/app/webhooks.ts'
import { ENVIRONMENT, useSettings } from '../../support/composers.ts'

afterEach(() => void vi.restoreAllMocks())

/** The inputs of the requests that the start of a webhook's function sends to a store that answers so. */
async function sentAtStart(answer: () => Promise<object>): Promise<readonly object[]> {
  const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(answer)
  useSettings(ENVIRONMENT)
  await makeWebhooks([])
  return send.mock.calls.map(([command]) => command.input)
}

it('a start opens the connection to the store by one write that no row allows', async () => {
  const [asked, ...others] = await sentAtStart(async () => ({}))
  expect(asked).toMatchObject({
    TableName: ENVIRONMENT['COUNTERS_TABLE'],
    Key: { counter: '#' },
    ConditionExpression: expect.stringContaining('#window = :seenWindow'),
    ExpressionAttributeValues: { ':seenWindow': -1 },
  })
  expect(others).toEqual([])
})

it('a start without a store succeeds, and leaves the error to the first webhook', async () => {
  expect(await sentAtStart(() => Promise.reject(new Error('ECONNREFUSED')))).toHaveLength(1)
})
