import type * as z from 'zod/mini'
import { trailQuery } from '../lib/contract/requests/trail-query.ts'
import { readOptions, UsageError } from './command.ts'

export const AUDIT_USAGE = `npm run audit -- [options]

Prints the audit trail, newest first: when, who, what, on what, the new values, how it ended if it was not done, and the
address of the caller. The local run has to be up.

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

export interface AuditOptions {
  readonly query: z.output<typeof trailQuery>
  /** Undefined for the local run. */
  readonly stage: string | undefined
  readonly json: boolean
}

const OPTIONS = {
  actor: { type: 'string' },
  target: { type: 'string' },
  action: { type: 'string', multiple: true },
  outcome: { type: 'string', multiple: true },
  q: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  reads: { type: 'boolean', default: false },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
  stage: { type: 'string' },
} as const

/** @throws UsageError naming the options that are wrong */
export function readAuditCommand(args: readonly string[]): AuditOptions {
  const { stage, json, reads, ...given } = readOptions({ args: [...args], options: OPTIONS }).values
  if (stage !== undefined && (!/^[a-z][a-z0-9-]{0,30}$/.test(stage) || stage === 'local'))
    throw new UsageError('--stage must name a deployed stage')
  const { data: query, error } = trailQuery.safeParse({ ...given, reads: String(reads) })
  if (error) throw new UsageError(error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`).join('; '))
  return { query, stage, json }
}
