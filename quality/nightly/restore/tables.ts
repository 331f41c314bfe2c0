import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  paginateScan,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'

type Row = Record<string, AttributeValue>

/** What a table was at some time. */
export interface TableContent {
  readonly rows: readonly Row[]
  /** As CreateTable takes it, without the name. */
  readonly shape: Omit<CreateTableCommandInput, 'TableName'>
}

/** The tables of an emulator, read and made anew as a whole. */
export function wholeTables(endpoint: string) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials })
  return {
    /** Undefined if there is no such table. */
    async read(name: string): Promise<TableContent | undefined> {
      try {
        const { Table: table = {} } = await client.send(new DescribeTableCommand({ TableName: name }))
        const rows: Row[] = []
        for await (const { Items: page = [] } of paginateScan({ client }, { TableName: name })) rows.push(...page)
        return { rows, shape: shapeOf(table) }
      } catch (error) {
        if ((error as Error).name === 'ResourceNotFoundException') return undefined
        throw error
      }
    },

    async make(name: string, { rows, shape }: TableContent): Promise<void> {
      await client.send(new CreateTableCommand({ TableName: name, ...shape }))
      for (let start = 0; start < rows.length; start += 25) {
        const requests = rows.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }))
        const { UnprocessedItems: left = {} } = await client.send(
          new BatchWriteItemCommand({ RequestItems: { [name]: requests } }),
        )
        if (Object.keys(left).length > 0) throw new Error('the emulator did not take every row')
      }
    },

    close: () => client.destroy(),
  }
}

/** What a restored table has of its source: keys and indexes. */
function shapeOf({ AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: indexes }: TableDescription) {
  const kept = indexes?.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }))
  return {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions,
    KeySchema,
    ...(kept && { GlobalSecondaryIndexes: kept }),
  } as TableContent['shape']
}
