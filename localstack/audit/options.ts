import { readOptions, UsageError, wholeOption } from '../command.ts'

export const AUDIT_USAGE = `npm run audit -- verify [options]
npm run audit -- list [options]

verify reads the whole audit trail and lists the lines that were removed, changed, moved, duplicated or forged. It exits with 0
if the trail is complete, and with 1 if it is not, or if nothing shows where its chains end. list prints the trail.

  --json             for machines: one line for verify, the unchanged lines for list
  --without-heads    verify the lines alone: a stopped local run has no table with the ends of the chains
  --stage NAME       the trail of a deployed stage, not of the local run
  --log-group NAME   its log group (/gatehouse/<stage>/audit)
  --table NAME       its table (gatehouse-<stage>-audit)
  --days N           the number of days that it keeps lines (400)

The trail of the local run is audit.log in its data folder. For a stage, the credentials and the region come from
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION. They need logs:FilterLogEvents, dynamodb:Scan and dynamodb:GetItem,
and secretsmanager:GetSecretValue on the secret audit, or AUDIT_KEYS.
`

/** A stage that is deployed. */
export interface StagePlace {
  readonly name: string
  readonly logGroup: string
  readonly table: string
  readonly days: number
}

export interface AuditOptions {
  readonly mode: 'verify' | 'list'
  readonly json: boolean
  readonly areHeadsWanted: boolean
  /** Undefined for the local run. */
  readonly stage: StagePlace | undefined
}

const OPTIONS = {
  json: { type: 'boolean', default: false },
  'without-heads': { type: 'boolean', default: false },
  stage: { type: 'string' },
  'log-group': { type: 'string' },
  table: { type: 'string' },
  days: { type: 'string' },
} as const

/** @throws UsageError */
export function readAuditCommand(args: readonly string[]): AuditOptions {
  const { values, positionals } = readOptions({ args: [...args], options: OPTIONS, allowPositionals: true })
  const [mode, ...more] = positionals
  if ((mode !== 'verify' && mode !== 'list') || more.length > 0) throw new UsageError('Say verify or list')
  const { json, 'without-heads': isWithout, stage: name, 'log-group': logGroup, table, days } = values
  if (name === undefined && (logGroup ?? table ?? days) !== undefined) {
    throw new UsageError('--log-group, --table and --days go with --stage')
  }
  const stage = name === undefined ? undefined : placeOf(name, { logGroup, table, days })
  return { mode, json, areHeadsWanted: !isWithout, stage }
}

interface Given {
  readonly logGroup: string | undefined
  readonly table: string | undefined
  readonly days: string | undefined
}

function placeOf(name: string, { logGroup, table, days }: Given): StagePlace {
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(name) || name === 'local')
    throw new UsageError('--stage must name a deployed stage')
  return {
    name,
    logGroup: logGroup ?? `/gatehouse/${name}/audit`,
    table: table ?? `gatehouse-${name}-audit`,
    days: wholeOption('--days', days ?? '400', [1, 3653]),
  }
}
