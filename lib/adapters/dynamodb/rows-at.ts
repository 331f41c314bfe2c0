import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb'
import { type Documents, request } from './client.ts'
import type { Item, Pause } from './conditional.ts'
import { drain } from './stored-body.ts'

export interface KeyedTable {
  readonly documents: Documents
  readonly table: string
  /** The attribute of the table's key in which the rows differ. */
  readonly key: string
  readonly pause: Pause
}

/** The most keys of one BatchGetItem (Amazon DynamoDB Developer Guide, "Quotas"). */
const MOST_KEYS = 100

/**
 * The rows that there are under some keys, by the value of their key.
 * @param isConsistent whether each row is read consistently; otherwise the read costs half and may be stale
 * @param same the other attribute of each key
 * @throws ServiceError `UNAVAILABLE`
 */
export async function rowsAt(
  { documents, table, key, pause }: KeyedTable,
  values: readonly string[],
  isConsistent = false,
  same: Item = {},
): Promise<ReadonlyMap<string, Item>> {
  const items = new Map<string, Item>()
  for (let start = 0; start < values.length; start += MOST_KEYS) {
    const keys = values.slice(start, start + MOST_KEYS).map((value) => ({ [key]: value, ...same }))
    await drain<Keys>({ [table]: { Keys: keys, ConsistentRead: isConsistent } }, pause, async (rest) => {
      const { Responses: found, UnprocessedKeys: left } = await request(() =>
        documents.send(new BatchGetCommand({ RequestItems: rest })),
      )
      for (const item of found?.[table] ?? []) items.set(String(item[key]), item)
      return left
    })
  }
  return items
}

type Keys = NonNullable<BatchGetCommandInput['RequestItems']>
