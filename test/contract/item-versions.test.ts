import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import { request } from '../../lib/adapters/dynamodb/table.ts'
import { TABLES } from '../support/emulated-store.ts'
import { startedStore } from './stores.ts'

const TABLE = TABLES.payments
const Key = { transactionId: 'newer' }
const ROW = { ...Key, v: 2 }
const REFUSED = { name: 'RangeError', message: `a row of ${TABLE} is of version 2, and this release reads version 1` }

const store = startedStore()

beforeAll(async () => void (await store.documents.send(new PutCommand({ TableName: TABLE, Item: ROW }))))

const NONE = {
  ConditionExpression: 'attribute_not_exists(transactionId)',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const
const put = { TableName: TABLE, Item: ROW, ...NONE } as const

describe('a row that a later release wrote is refused by version and table', () => {
  it.each([
    ['a read', new GetCommand({ TableName: TABLE, Key })],
    ['a batch of reads', new BatchGetCommand({ RequestItems: { [TABLE]: { Keys: [Key] } } })],
    [
      'a query',
      new QueryCommand({
        TableName: TABLE,
        KeyConditionExpression: 'transactionId = :id',
        ExpressionAttributeValues: { ':id': Key.transactionId },
      }),
    ],
    ['a scan', new ScanCommand({ TableName: TABLE })],
    ['a put that it blocks', new PutCommand(put)],
    ['a transaction that it blocks', new TransactWriteCommand({ TransactItems: [{ Put: put }] })],
    [
      'an update that shows it',
      new UpdateCommand({
        TableName: TABLE,
        Key,
        UpdateExpression: 'SET seen = :seen',
        ExpressionAttributeValues: { ':seen': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    ],
  ])('by %s', async (_, command) => {
    await expect(store.documents.send(command as GetCommand)).rejects.toMatchObject(REFUSED)
  })

  it('which is a fault of this release, and no outage', async () => {
    const read = new GetCommand({ TableName: TABLE, Key })
    await expect(request(() => store.documents.send(read))).rejects.toMatchObject(REFUSED)
  })

  it('and one without a version is read', async () => {
    const table = { TableName: TABLE, Key: { transactionId: 'first' } }
    await store.documents.send(new PutCommand({ TableName: TABLE, Item: table.Key }))
    expect(await store.documents.send(new DeleteCommand({ ...table, ReturnValues: 'ALL_OLD' }))).toMatchObject({
      Attributes: table.Key,
    })
  })
})
