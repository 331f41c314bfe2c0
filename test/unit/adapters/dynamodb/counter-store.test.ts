import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it } from 'vitest'
import { dynamoCounterStore } from '../../../../lib/adapters/dynamodb/counter-store.ts'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }))
const mock = mockClient(documents)
const counters = dynamoCounterStore(documents, 'counters')

beforeEach(() => {
  mock.reset()
})

describe('the counters table', () => {
  it('is read with one strongly consistent request', async () => {
    mock.on(BatchGetCommand).resolves({ Responses: { counters: [{ counter: 'b', hits: 7 }] } })
    expect(await counters.read(['a', 'b'])).toEqual([0, 7])
    const RequestItems = { counters: { Keys: [{ counter: 'a' }, { counter: 'b' }], ConsistentRead: true } }
    expect(mock.commandCalls(BatchGetCommand, { RequestItems })).toHaveLength(1)
  })

  it('never reads an unread counter as 0: a throttled batch is repeated, or is UNAVAILABLE', async () => {
    mock
      .on(BatchGetCommand)
      .resolvesOnce({
        Responses: { counters: [{ counter: 'b', hits: 7 }] },
        UnprocessedKeys: { counters: { Keys: [{ counter: 'a' }] } },
      })
      .resolves({ Responses: { counters: [{ counter: 'a', hits: 10 }] } })
    const answer = await counters.read(['a', 'b']).catch((error) => error.code)
    expect(answer).toSatisfy((given: unknown) => given === 'UNAVAILABLE' || String(given) === '10,7')
  })

  it('keeps a counter until it expires, in whole seconds', async () => {
    mock.on(UpdateCommand).resolves({})
    await counters.take('a', 9, new Date('2026-01-02T03:04:05.001Z'))
    await counters.set('a', 9, new Date('2026-01-02T03:04:05.000Z'))
    const values = mock.commandCalls(UpdateCommand).map(({ args: [{ input }] }) => input.ExpressionAttributeValues)
    expect(values).toMatchObject([{ ':ttl': 1_767_323_046 }, { ':ttl': 1_767_323_045 }])
  })

  it('is UNAVAILABLE when it is down', async () => {
    mock.onAnyCommand().rejects(new Error('connect ECONNREFUSED'))
    const asked = [
      counters.read(['a']),
      counters.take('a', 1, new Date(0)),
      counters.giveBack('a'),
      counters.set('a', 1, new Date(0)),
      counters.remove('a', 1),
    ]
    for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
