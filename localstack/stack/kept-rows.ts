import {
  type AttributeValue,
  DeleteItemCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'

type Row = Record<string, AttributeValue>

/** The most rows of a run that can be reset: all of them stay in memory. */
const MOST_ROWS = 5000

/**
 * Keeps the rows that tables have now.
 * @returns a function that makes these their only rows again; undefined if there are too many
 */
export async function keptRows(tables: readonly string[]): Promise<(() => Promise<void>) | undefined> {
  const client = new DynamoDBClient()

  async function rowsOf(table: string, most = MOST_ROWS): Promise<readonly Row[]> {
    const rows: Row[] = []
    for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true })) {
      rows.push(...Items)
      if (rows.length > most) break
    }
    return rows
  }

  async function restore(table: string, before: readonly Row[]): Promise<void> {
    const [{ Table: { KeySchema: parts = [] } = {} }, rows] = await Promise.all([
      client.send(new DescribeTableCommand({ TableName: table })),
      rowsOf(table, Number.POSITIVE_INFINITY),
    ])
    const keyOf = (row: Row) =>
      Object.fromEntries(parts.map(({ AttributeName: name = '' }) => [name, row[name]])) as Row
    const [missing, added] = [notIn(rows, before), notIn(before, rows)]
    for (const row of added) await client.send(new DeleteItemCommand({ TableName: table, Key: keyOf(row) }))
    for (const row of missing) await client.send(new PutItemCommand({ TableName: table, Item: row }))
  }

  const kept = await Promise.all(tables.map(async (table) => [table, await rowsOf(table)] as const))
  if (kept.flatMap(([, rows]) => rows).length > MOST_ROWS) return undefined
  return async () => void (await Promise.all(kept.map(([table, rows]) => restore(table, rows))))
}

/** The rows that are not among the others. */
function notIn(others: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const known = new Set(others.map((row) => JSON.stringify(row)))
  return rows.filter((row) => !known.has(JSON.stringify(row)))
}

/** An emulator compares ends of rows with the system's time: while another one counts, no row may end. */
export async function keepExpired(tables: readonly string[]): Promise<void> {
  const client = new DynamoDBClient()
  for (const TableName of tables) {
    const { TimeToLiveDescription: present } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
    const { TimeToLiveStatus: status, AttributeName } = present ?? {}
    if (status !== 'ENABLED') continue
    const TimeToLiveSpecification = { AttributeName, Enabled: false }
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
  }
}
