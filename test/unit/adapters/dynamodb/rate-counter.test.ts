import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it } from 'vitest'
import { dynamoRateCounter } from '../../../../lib/adapters/dynamodb/rate-counter.ts'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }))
const mock = mockClient(documents)
const counter = dynamoRateCounter(documents, 'counters')

const DEMAND = { minute: 7, before: 0, count: 11, spare: 10, maximumTaken: 89, maximumSpare: 0 }
const TALLY = { minute: 7, before: 0, taken: 11, spare: 10 }
const SOON = new Date('2026-01-02T03:06:00.001Z')

beforeEach(() => {
  mock.reset()
  mock.on(UpdateCommand).resolves({ Attributes: { ...TALLY, counter: 'a', ttl: 1 } })
})

describe('the rate limits in the counters table', () => {
  it('cost one update for each range of numbers', async () => {
    expect(await counter.take('a', DEMAND, SOON)).toEqual({ kind: 'written', tally: TALLY })
    expect(await counter.rollOver('a', TALLY, { ...TALLY, minute: 8 }, SOON)).toEqual({ kind: 'written', tally: TALLY })
    expect(mock.calls()).toHaveLength(2)
  })

  it('keep a row until it expires, in whole seconds', async () => {
    await counter.take('a', DEMAND, SOON)
    const [call] = mock.commandCalls(UpdateCommand)
    expect(call?.args[0].input.ExpressionAttributeValues).toMatchObject({ ':ttl': 1_767_323_161 })
  })

  it('are UNAVAILABLE when the table is down', async () => {
    mock.onAnyCommand().rejects(new Error('connect ECONNREFUSED'))
    const asked = [counter.take('a', DEMAND, SOON), counter.rollOver('a', TALLY, TALLY, SOON)]
    for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
