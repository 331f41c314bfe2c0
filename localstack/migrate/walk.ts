import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import { type Documents, request } from '../../lib/adapters/dynamodb/client.ts'
import { type Item, jitter, type Pause } from '../../lib/adapters/dynamodb/conditional.ts'
import { itemVersion, type Migration, stepOf } from '../../lib/adapters/dynamodb/migrations.ts'
import { rewrite } from './rewrite.ts'

/** The key of a row; from it DynamoDB continues a scan behind that row. */
export type RowKey = NonNullable<ScanCommandInput['ExclusiveStartKey']>

export interface TableWalk {
  readonly documents: Documents
  readonly table: string
  /** Those of the table. */
  readonly migrations: readonly Migration[]
  readonly isDryRun: boolean
  /** The cursor of an earlier walk. */
  readonly after: RowKey | undefined
  /** Waits until the rate allows more writes. */
  readonly pace: () => Promise<void>
  readonly pause?: Pause
}

/** The progress of a walk. */
export interface Walked {
  /** The number of rows of each version. */
  readonly versions: ReadonlyMap<number, number>
  readonly rewritten: number
  /** Rows that are still not of the newest version. */
  readonly left: number
  /** Where to continue; undefined when every row was looked at. */
  readonly cursor: RowKey | undefined
}

const PAGE = 500

/** How many rows are rewritten at once. */
const AT_ONCE = 16

/**
 * Brings every row of a table to the newest version, and reports its progress after each page.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function* walk({ pause = jitter, ...what }: TableWalk): AsyncGenerator<Walked> {
  const { documents, table, migrations, isDryRun, pace } = what
  const versions = new Map<number, number>()
  const ends = { rewritten: 0, left: 0, gone: 0 }
  let cursor = what.after

  async function bring(row: Item): Promise<void> {
    ends[isDryRun ? 'left' : await rewrite({ documents, table, migrations, pause }, row)] += 1
  }

  do {
    const scan = new ScanCommand({ TableName: table, Limit: PAGE, ExclusiveStartKey: cursor })
    const { Items: rows = [], LastEvaluatedKey: last } = await request(() => documents.send(scan))
    for (const row of rows) versions.set(itemVersion(row), (versions.get(itemVersion(row)) ?? 0) + 1)
    const old = rows.filter((row) => stepOf(migrations, row) !== undefined)
    for (let start = 0; start < old.length; start += AT_ONCE) {
      await Promise.all(old.slice(start, start + AT_ONCE).map(bring))
      await pace()
    }
    cursor = last
    yield { versions, rewritten: ends.rewritten, left: ends.left, cursor }
  } while (cursor !== undefined)
}
