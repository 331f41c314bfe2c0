import { env } from 'node:process'
import { awsReason } from '../infra/check/account.ts'
import { documentClient } from '../lib/adapters/dynamodb/table.ts'
import { dynamoTrailPages } from '../lib/adapters/dynamodb/trail.ts'
import { dynamoUserStore } from '../lib/adapters/dynamodb/users.ts'
import { systemClock } from '../lib/runtime/time.ts'
import { listTrail } from '../lib/trail/list.ts'
import { AUDIT_USAGE, type AuditOptions, readAuditCommand } from './audit-options.ts'
import { printerFor, runCommand } from './command.ts'
import { enterLocalCloud } from './environment.ts'
import { localRun } from './local-run.ts'
import { noTables } from './no-tables.ts'
import { shownText } from './shown-text.ts'
import { StartError } from './start-error.ts'

await runCommand({ name: 'audit', usage: AUDIT_USAGE, run: (args) => audit(readAuditCommand(args)) })

async function audit({ query, stage, json }: AuditOptions): Promise<number> {
  const endpoint = stage === undefined ? enterLocalCloud(env, localRun(env).ports).dynamodb : undefined
  const prefix = `gatehouse-${stage ?? 'local'}`
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
