import { readOptions, UsageError, wholeOption } from '../command.ts'
import type { RowKey } from './walk.ts'

export const MIGRATE_USAGE = `npm run migrate -- [options]

Brings the rows of a table to the newest version that this release knows, while the service runs. Each row is one conditional
write, so that no other change is lost. When to run it: docs/data.md. Exit 0 when every row has the newest
version, 3 when some are not, 1 when a row is of a version that this release does not know, or AWS refuses.

  --stage NAME    a deployed stage instead of the local run
  --table NAME    events (as by default), payments, orders, replays, deliveries, users or keys
  --dry-run       only count
  --rate N        write units a second, indexes included (100)
  --after CURSOR  continue after an interrupted run, with the cursor that it printed
  --json          one line for machines on standard output

For a stage, credentials and region come from the environment, as AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION;
they need dynamodb:Scan and dynamodb:UpdateItem on the table.
`

const TABLES = ['events', 'payments', 'orders', 'replays', 'deliveries', 'users', 'keys'] as const

const OPTIONS = {
  stage: { type: 'string' },
  table: { type: 'string', default: 'events' },
  'dry-run': { type: 'boolean', default: false },
  rate: { type: 'string', default: '100' },
  after: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

export interface MigrateOptions {
  /** `local` for the local run. */
  readonly stage: string
  readonly table: (typeof TABLES)[number]
  readonly isDryRun: boolean
  /** In write units a second. */
  readonly rate: number
  readonly after: RowKey | undefined
  readonly json: boolean
}

/** @throws UsageError */
export function readMigrateCommand(args: readonly string[]): MigrateOptions {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const { stage = 'local', 'dry-run': isDryRun, after, json } = values
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(stage)) throw new UsageError('--stage must name a stage')
  const table = TABLES.find((name) => name === values.table)
  if (table === undefined) throw new UsageError(`--table must be one of ${TABLES.join(', ')}`)
  const rate = wholeOption('--rate', values.rate, [1, 40_000])
  return { stage, table, isDryRun, rate, after: after === undefined ? undefined : keyIn(after), json }
}

/** A key as the option takes it and as the lines about progress show it. */
export function cursorText(key: RowKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** All keys of these tables are strings. @throws UsageError */
function keyIn(cursor: string): RowKey {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (typeof key === 'object' && key !== null && Object.values(key).every((part) => typeof part === 'string'))
      return key as RowKey
  } catch {
    // The same error as for any other text that is no cursor.
  }
  throw new UsageError('--after must be a cursor that a run printed')
}
