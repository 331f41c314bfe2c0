import { env, stderr, stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import { awsReason } from '../infra/preflight/asked.ts'
import { documentClient } from '../lib/adapters/dynamodb/client.ts'
import { MIGRATIONS, newestOf } from '../lib/adapters/dynamodb/migrations.ts'
import { ServiceError } from '../lib/errors.ts'
import { steadyClock } from '../lib/runtime/clock.ts'
import { runCommand } from './command.ts'
import { enterLocalCloud } from './environment.ts'
import { localRun } from './local-run.ts'
import { cursorText, MIGRATE_USAGE, type MigrateOptions, readMigrateCommand } from './migrate/options.ts'
import { pacedBy } from './migrate/pace.ts'
import { reportOf } from './migrate/report.ts'
import { type Walked, walk } from './migrate/walk.ts'
import { noTables } from './no-tables.ts'
import { StartError } from './start-error.ts'

await runCommand({ name: 'migrate', usage: MIGRATE_USAGE, run: (args) => migrate(readMigrateCommand(args)) })

async function migrate({ stage, table, isDryRun, rate, after, json }: MigrateOptions): Promise<number> {
  const local = stage === 'local' ? enterLocalCloud(env, localRun(env).ports).dynamodb : undefined
  const name = `gatehouse-${stage}-${table}`
  const migrations = MIGRATIONS.filter((each) => each.table === table)
  const paced = pacedBy(rate, documentClient(), { clock: steadyClock, sleep: setTimeout })
  let walked: Walked = { versions: new Map(), rewritten: 0, left: 0, cursor: after }
  try {
    for await (walked of walk({ ...paced, table: name, migrations, isDryRun, after })) {
      if (walked.cursor)
        stderr.write(`${walked.rewritten} rewritten; --after ${cursorText(walked.cursor)} continues here\n`)
    }
  } catch (error) {
    throw local === undefined ? awsProblem(name, error) : noTables(error, local)
  }
  const { code, report, text } = reportOf(walked, newestOf(migrations))
  stdout.write(json ? `${JSON.stringify({ table: name, ...report })}\n` : `${name}: ${text}\n`)
  return code
}

/** What AWS says, in one line; any other error as it is. */
function awsProblem(table: string, error: unknown): unknown {
  const isOfAws = error instanceof ServiceError || error instanceof DynamoDBServiceException
  return isOfAws ? new StartError(`${table}: ${awsReason(error)}`, { cause: error }) : error
}
