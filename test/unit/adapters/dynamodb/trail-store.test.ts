import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { expect, it } from 'vitest'
import { dynamoTrailStore } from '../../../../lib/adapters/dynamodb/trail.ts'
import { trailRow } from '../../../support/trail.ts'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }))
const mock = mockClient(documents)
const { put } = dynamoTrailStore(documents, 'audit')

it('a row of its own is waited for no longer than its own patience', async () => {
  mock.on(PutCommand).resolves({})
  await put(trailRow())
  const [sent] = mock.calls()
  expect(sent?.args.slice(1)).toEqual([{ abortSignal: expect.any(AbortSignal) }])
})

it('a row that came too late is UNAVAILABLE', async () => {
  mock.on(PutCommand).rejects(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  await expect(put(trailRow())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
