import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  InternalServerError,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { jitter, putIf, transact, updateIf } from '../../../../lib/adapters/dynamodb/table.ts'
import { serviceFault } from '../../../support/fakes/aws.ts'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }))
const mock = mockClient(documents)

const PUT = { TableName: 'events', Item: { eventId: 'e' } }
const UPDATE = { TableName: 'events', Key: { eventId: 'e' } }
const WRITES = [{ Put: PUT }]
const META = { $metadata: {}, message: 'refused' }

function cancelled(...codes: readonly string[]): TransactionCanceledException {
  const reasons = codes.map((code, index) => ({ Code: code, Item: { place: { N: String(index) } } }))
  return new TransactionCanceledException({ ...META, CancellationReasons: reasons })
}

/** Waits for nothing, and remembers. */
function pauses() {
  const rounds: number[] = []
  const pause = async (round: number): Promise<void> => {
    rounds.push(round)
  }
  return { rounds, pause }
}

beforeEach(() => {
  mock.reset()
})

describe('a transaction', () => {
  it.each([
    [1, ['None', 'ConditionalCheckFailed']],
    [0, ['ConditionalCheckFailed', 'TransactionConflict']],
  ])('is refused by the first refused write, %i of %j', async (index, codes) => {
    mock.on(TransactWriteCommand).rejects(cancelled(...codes))
    const { rounds, pause } = pauses()
    expect(await transact(documents, WRITES, pause)).toEqual({ kind: 'refused', index, item: { place: index } })
    expect(rounds).toEqual([])
  })

  it('is refused without a row if there is none', async () => {
    const reasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }]
    mock.on(TransactWriteCommand).rejects(new TransactionCanceledException({ ...META, CancellationReasons: reasons }))
    expect(await transact(documents, WRITES, pauses().pause)).toEqual({ kind: 'refused', index: 1, item: undefined })
  })

  it.each([
    ['TransactionConflict before a condition', ['TransactionConflict', 'ConditionalCheckFailed']],
    ['ThrottlingError', ['ThrottlingError', 'None']],
    ['ProvisionedThroughputExceeded', ['None', 'ProvisionedThroughputExceeded']],
  ])('Q14 is retried after %s', async (_, codes) => {
    mock
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled(...codes))
      .rejectsOnce(cancelled(...codes))
      .resolves({})
    const { rounds, pause } = pauses()
    expect(await transact(documents, WRITES, pause)).toEqual({ kind: 'written', item: {} })
    expect(rounds).toEqual([0, 1])
  })

  it('Q14 is UNAVAILABLE when conflicts continue', async () => {
    mock.on(TransactWriteCommand).rejects(cancelled('TransactionConflict'))
    const { rounds, pause } = pauses()
    await expect(transact(documents, WRITES, pause)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(mock.commandCalls(TransactWriteCommand)).toHaveLength(6)
    expect(rounds.slice(0, 5)).toEqual([0, 1, 2, 3, 4])
  })

  it.each([['ValidationError'], ['None']])(
    'throws the original error when it was canceled for %s, which is an internal error',
    async (code) => {
      const error = cancelled(code)
      mock.on(TransactWriteCommand).rejects(error)
      await expect(transact(documents, WRITES, pauses().pause)).rejects.toBe(error)
    },
  )
})

describe.each([
  ['putIf', () => putIf(documents, PUT)],
  ['updateIf', () => updateIf(documents, UPDATE)],
  ['transact', () => transact(documents, WRITES, pauses().pause)],
])('the errors of %s', (_, write) => {
  it('are UNAVAILABLE when the store is down, and unchanged when the request was wrong', async () => {
    const down = new InternalServerError(META)
    mock.onAnyCommand().rejects(down)
    await expect(write()).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: down })
    const wrong = serviceFault('ValidationException', 'client')
    mock.onAnyCommand().rejects(wrong)
    await expect(write()).rejects.toBe(wrong)
  })
})

describe('a single write under a condition', () => {
  const refusal = new ConditionalCheckFailedException({
    ...META,
    Item: { attempts: { N: '3' }, id: { N: '9223372036854775807' } },
  })

  it('returns the row that refused it, numbers with every digit', async () => {
    mock.on(PutCommand).rejects(refusal)
    const result = await putIf(documents, PUT)
    expect(result).toMatchObject({ kind: 'refused', index: 0, item: { attempts: 3 } })
    expect(String(result.item?.['id'])).toBe('9223372036854775807')
    expect(mock.commandCalls(PutCommand, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })).toHaveLength(1)
  })
})

it.each([
  [0, 0.5, 10],
  [5, 0.5, 320],
])('the pause between two tries in round %i has full jitter, %f of its time', async (round, random, milliseconds) => {
  vi.useFakeTimers()
  const draw = vi.spyOn(Math, 'random').mockReturnValue(random)
  let isOver = false
  const pause = jitter(round).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(milliseconds - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isOver).toBe(true)
  await pause
  draw.mockRestore()
  vi.useRealTimers()
})
