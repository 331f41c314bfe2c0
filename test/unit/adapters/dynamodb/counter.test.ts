import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchGetCommand, DeleteCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it } from 'vitest'
import { dynamoCounter } from '../../../../lib/adapters/dynamodb/counter.ts'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }))
const mock = mockClient(documents)
const counter = dynamoCounter(documents, 'counters')

const DEMAND = { window: 7, before: 0, count: 11, spare: 10, maximumTaken: 89, maximumSpare: 0 }
const TALLY = { window: 7, before: 0, taken: 11, spare: 10 }
const SOON = new Date('2026-01-02T03:06:00.001Z')

const rowOf = (name: string, changes = {}) => ({ ...TALLY, ...changes, counter: name, ttl: 1 })

beforeEach(() => {
  mock.reset()
  mock.on(UpdateCommand).resolves({ Attributes: rowOf('a') })
  mock.on(DeleteCommand).resolves({})
})

describe('the counters table', () => {
  it('is read with one strongly consistent request', async () => {
    mock.on(BatchGetCommand).resolves({ Responses: { counters: [rowOf('b')] } })
    expect(await counter.read(['a', 'b'])).toEqual([undefined, TALLY])
    const RequestItems = { counters: { Keys: [{ counter: 'a' }, { counter: 'b' }], ConsistentRead: true } }
    expect(mock.commandCalls(BatchGetCommand, { RequestItems })).toHaveLength(1)
  })

  it('never reads an unread counter as none: a throttled batch is repeated, or is UNAVAILABLE', async () => {
    const other = { ...TALLY, taken: 10 }
    mock
      .on(BatchGetCommand)
      .resolvesOnce({
        Responses: { counters: [rowOf('b')] },
        UnprocessedKeys: { counters: { Keys: [{ counter: 'a' }] } },
      })
      .resolves({ Responses: { counters: [rowOf('a', other)] } })
    const answer = await counter.read(['a', 'b']).catch((error) => error.code)
    expect(['UNAVAILABLE', [other, TALLY]]).toContainEqual(answer)
  })

  it('keeps a row until it expires, in whole seconds', async () => {
    await counter.take('a', DEMAND, SOON)
    await counter.rollOver('a', TALLY, TALLY, SOON)
    await counter.set('a', TALLY, SOON)
    await counter.set('a', TALLY, new Date('2026-01-02T03:06:00.000Z'))
    const values = mock.commandCalls(UpdateCommand).map(({ args: [{ input }] }) => input.ExpressionAttributeValues)
    expect(values.map((given) => given?.[':ttl'])).toEqual([...Array(3).fill(1_767_323_161), 1_767_323_160])
  })

  it('is UNAVAILABLE when it is down', async () => {
    mock.onAnyCommand().rejects(new Error('connect ECONNREFUSED'))
    const asked = [
      counter.read(['a']),
      counter.take('a', DEMAND, SOON),
      counter.rollOver('a', TALLY, TALLY, SOON),
      counter.giveBack('a', 7),
      counter.set('a', TALLY, SOON),
      counter.remove('a', TALLY),
    ]
    for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
