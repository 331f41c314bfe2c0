import { env } from 'node:process'
import { awsReason } from '../../infra/check/account.ts'
import { serviceName } from '../../infra/team-config.ts'
import { documentClient } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoTrailPages } from '../../lib/adapters/dynamodb/trail.ts'
import { dynamoUserStore } from '../../lib/adapters/dynamodb/users.ts'
import { trailQuery } from '../../lib/contract/requests/trail.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { listTrail } from '../../lib/trail/list.ts'
import { FLAG, printerFor, readOptions, runCommand, shownText, stageOption, TEXT, UsageError } from '../command.ts'
import { StartError } from '../errors.ts'
import { localRun, noTables } from '../local-run.ts'
import { enterLocalCloud } from '../stack/environment.ts'

const USAGE = `npx gatehouse audit [options]

Prints the audit trail, newest first: time, actor, action, target, new values, the outcome if it is not done, and the address
of the caller. The local run has to be up.

  --actor NAME     who did it: a name or an id
  --target NAME    what it was done to: a name or an id
  --action NAME    as user.changed; may be repeated
  --outcome NAME   done, refused or failed; may be repeated
  --q TEXT         a part of a name, of an id or of the action
  --from TIME      at that time or later, YYYY-MM-DDTHH:mm:ss in UTC
  --to TIME        at that time or earlier
  --reads          list readings of payloads, too
  --limit N        how many rows, 200 at most (50)
  --json           a line of JSON for each row, as GET /api/audit shows it
  --stage NAME     the trail of a deployed stage, not of the local run

For a stage, the credentials and the region come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION. They need
dynamodb:Query on the indexes of its table audit, and GetItem on its table users.
`

const OPTIONS = {
  actor: TEXT,
  target: TEXT,
  action: { type: 'string', multiple: true },
  outcome: { type: 'string', multiple: true },
  q: TEXT,
  from: TEXT,
  to: TEXT,
  reads: FLAG,
  limit: TEXT,
  json: FLAG,
  stage: TEXT,
} as const

/** @throws UsageError naming the options that are wrong */
function optionsIn(args: readonly string[]) {
  const { stage, json, reads, ...given } = readOptions({ args: [...args], options: OPTIONS }).values
  const { data: query, error } = trailQuery.safeParse({ ...given, reads: String(reads) })
  if (error) throw new UsageError(error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`).join('; '))
  return { query, stage: stage === undefined ? undefined : stageOption(stage), json }
}

async function audit(args: readonly string[]): Promise<number> {
  const { query, stage, json } = optionsIn(args)
  const prefix = stage === undefined ? 'gatehouse-local' : `${await serviceName(stage)}-${stage}`
  const endpoint = stage === undefined ? enterLocalCloud(env, localRun(env).ports).dynamodb : undefined
  const documents = documentClient()
  const users = dynamoUserStore(documents, `${prefix}-users`)
  const parts = {
    pages: dynamoTrailPages(documents, `${prefix}-audit`),
    nameOf: async (uid: string) => (await users.findById(uid))?.username,
    clock: systemClock,
  }
  const print = printerFor(json)
  let { limit } = query
  let cursor: string | undefined
  try {
    do {
      const { entries, nextCursor } = await listTrail(parts, { ...query, limit, cursor })
      for (const row of entries) print(row, `${shownText(lineOf(row))}\n`)
      limit -= entries.length
      cursor = nextCursor ?? undefined
    } while (limit > 0 && cursor !== undefined)
    return 0
  } catch (error) {
    if (endpoint !== undefined) throw noTables(error, endpoint)
    throw new StartError(`AWS refuses: ${awsReason(error)}`, { cause: error })
  }
}

type Row = Awaited<ReturnType<typeof listTrail>>['entries'][number]

function lineOf({ at, actor, action, target, change, outcome, error, from }: Row): string {
  const who = actor?.name ?? actor?.uid ?? actor?.keyId ?? '-'
  const values = Object.entries(change ?? {}).map(([name, value]) => `${name}=${[value].flat().join()}`)
  const end = outcome === 'done' ? '' : `${outcome} ${error ?? ''}`
  const parts = [at, who.padEnd(12), action.padEnd(20), target?.name ?? target?.id, values.join(' '), end, from]
  return parts.filter(Boolean).join('  ')
}

if (import.meta.main) await runCommand({ name: 'audit', usage: USAGE, run: audit })
