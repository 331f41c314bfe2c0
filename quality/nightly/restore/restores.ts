import { type Asked, forward, json, Refusal, type Reply, type Request, type Served, serve } from './serve.ts'
import { type TableContent, wholeTables } from './tables.ts'

/** What emulators do not keep of a table. A restored one has none of it (DynamoDB API reference, both restores). */
export interface TableSettings {
  isProtected: boolean
  /** Since when it can be restored; undefined without point-in-time recovery. */
  recoverableFrom: number | undefined
  timeToLive: string | undefined
  /** Whether AWS's key in KMS encrypts it; a backup is restored without, unless that is asked for. */
  hasKmsKey: boolean
}

/** Plays DynamoDB's backups and restores, and Lambda's concurrency, in front of a local run. */
export interface RestoreStandIn extends Served {
  /** By the names of the stage; those that were deleted are gone. */
  readonly settings: Map<string, TableSettings>
  /** Functions that may run. */
  running(): readonly string[]
  /** Which functions might have written while a table of the stage was deleted. */
  readonly writers: readonly string[]
  /** It is this time now, and every table can be restored as it is. */
  reach(time: Date): Promise<void>
}

interface Backup {
  readonly arn: string
  readonly name: string
  readonly table: string
  readonly at: number
  readonly content: TableContent
}

const local = (name: string) => name.replace(/^gatehouse-prod-/, 'gatehouse-local-')

/** @param functions the names of all functions of the account */
export async function startRestores(
  endpoints: { readonly dynamodb: string },
  settings: Map<string, TableSettings>,
  functions: readonly string[],
): Promise<RestoreStandIn> {
  const tables = wholeTables(endpoints.dynamodb)
  const moments: { readonly at: number; readonly contents: ReadonlyMap<string, TableContent> }[] = []
  const backups: Backup[] = []
  const limits = new Map<string, number>()
  const deployed = new Set(settings.keys())
  const writers: string[] = []
  let now = 0

  const running = () => functions.filter((name) => limits.get(name) !== 0)

  function known({ TableName: name = '' }: Asked): TableSettings {
    const found = settings.get(name)
    if (found === undefined) throw new Refusal('ResourceNotFoundException', `Requested resource not found: ${name}`)
    return found
  }

  async function contentOf(name: string): Promise<TableContent> {
    const content = await tables.read(local(name))
    if (content === undefined) throw new Refusal('TableNotFoundException', `Table not found: ${name}`)
    return content
  }

  /** Makes the table of a restore, with nothing but rows, keys, indexes and the key that encrypts it. */
  async function restore(target: string, content: TableContent, hasKmsKey: boolean): Promise<object> {
    if (settings.has(target)) throw new Refusal('TableAlreadyExistsException', `Table already exists: ${target}`)
    await tables.make(local(target), content)
    settings.set(target, { isProtected: false, recoverableFrom: undefined, timeToLive: undefined, hasKmsKey })
    return { TableDescription: { TableName: target, TableStatus: 'CREATING' } }
  }

  function backup(arn = ''): Backup {
    const found = backups.find((each) => each.arn === arn)
    if (found === undefined) throw new Refusal('BackupNotFoundException', `Backup not found: ${arn}`)
    return found
  }

  const detailsOf = ({ arn, name, at }: Backup) => ({
    BackupArn: arn,
    BackupName: name,
    BackupStatus: 'AVAILABLE',
    BackupType: 'USER',
    BackupCreationDateTime: at / 1000,
  })

  const operations: Readonly<Record<string, (asked: Asked) => object | Promise<object>>> = {
    async RestoreTableToPointInTime(asked) {
      const { SourceTableName: source = '', TargetTableName: target = '', RestoreDateTime: seconds } = asked
      const { recoverableFrom, hasKmsKey } = known({ TableName: source })
      if (recoverableFrom === undefined)
        throw new Refusal('PointInTimeRecoveryUnavailableException', `Point in time recovery is not enabled: ${source}`)
      const wanted = seconds === undefined ? now : Number(seconds) * 1000
      const moment = moments.findLast(({ at }) => at <= wanted)
      const content = moment?.contents.get(source)
      if (wanted < recoverableFrom || wanted > now || content === undefined)
        throw new Refusal('InvalidRestoreTimeException', 'The restore time is not within what can be restored')
      return restore(target, content, hasKmsKey)
    },
    async RestoreTableFromBackup({ TargetTableName: target = '', BackupArn: arn, SSESpecificationOverride: sse }) {
      const isAsked = (sse as unknown as { readonly Enabled?: boolean } | undefined)?.Enabled === true
      return restore(target, backup(arn).content, isAsked)
    },
    async CreateBackup({ TableName: table = '', BackupName: name = '' }) {
      const arn = `arn:aws:dynamodb:eu-central-1:111122223333:table/${table}/backup/${backups.length + 1}`
      const made: Backup = { arn, name, table, at: now + backups.length, content: await contentOf(table) }
      backups.push(made)
      return { BackupDetails: { ...detailsOf(made), BackupStatus: 'CREATING' } }
    },
    DescribeBackup: ({ BackupArn: arn }) => ({ BackupDescription: { BackupDetails: detailsOf(backup(arn)) } }),
    // In no order that the reference promises.
    ListBackups: ({ TableName: table }) => ({
      BackupSummaries: backups
        .filter((each) => each.table === table)
        .map((each) => ({ TableName: table, ...detailsOf(each) }))
        .reverse(),
    }),
    UpdateContinuousBackups(asked) {
      const { PointInTimeRecoverySpecification: wanted } = asked as unknown as {
        readonly PointInTimeRecoverySpecification: { readonly PointInTimeRecoveryEnabled: boolean }
      }
      const table = known(asked)
      table.recoverableFrom = wanted.PointInTimeRecoveryEnabled ? (table.recoverableFrom ?? now) : undefined
      return recoveryOf(table)
    },
    DescribeContinuousBackups: (asked) => recoveryOf(known(asked)),
    UpdateTimeToLive(asked) {
      const { TimeToLiveSpecification: wanted } = asked as unknown as {
        readonly TimeToLiveSpecification: { readonly Enabled: boolean; readonly AttributeName: string }
      }
      known(asked).timeToLive = wanted.Enabled ? wanted.AttributeName : undefined
      return { TimeToLiveSpecification: wanted }
    },
    DescribeTimeToLive(asked) {
      const { timeToLive: AttributeName } = known(asked)
      return { TimeToLiveDescription: { TimeToLiveStatus: AttributeName ? 'ENABLED' : 'DISABLED', AttributeName } }
    },
    UpdateTable(asked) {
      known(asked).isProtected = Boolean(asked['DeletionProtectionEnabled'])
      return {}
    },
  }

  function recoveryOf({ recoverableFrom: from }: TableSettings) {
    const isOn = from !== undefined
    const times = isOn ? { EarliestRestorableDateTime: from / 1000, LatestRestorableDateTime: now / 1000 } : {}
    const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus: isOn ? 'ENABLED' : 'DISABLED', ...times }
    return { ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED', PointInTimeRecoveryDescription } }
  }

  async function remove(request: Request, asked: Asked): Promise<Reply> {
    if (known(asked).isProtected)
      throw new Refusal(
        'ValidationException',
        'Resource cannot be deleted as it is currently protected against deletion',
      )
    if (deployed.has(asked['TableName'] ?? '')) writers.push(...running())
    settings.delete(asked['TableName'] ?? '')
    return forward(request, endpoints.dynamodb)
  }

  async function answerOf(name: string, request: Request): Promise<Reply> {
    const asked = JSON.parse(request.body) as Asked
    if (name === 'DeleteTable') return remove(request, asked)
    const operation = operations[name]
    return operation ? json(200, await operation(asked)) : forward(request, endpoints.dynamodb)
  }

  async function answer(request: Request): Promise<Reply> {
    const target = request.headers['x-amz-target']
    if (target === undefined) return concurrency(request, functions, limits)
    const [, name = ''] = String(target).split('.')
    try {
      return await answerOf(name, request)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return json(400, { __type: error.code, message: error.message })
    }
  }

  const served = await serve(answer)
  return {
    url: served.url,
    settings,
    running,
    writers,
    async reach(time) {
      now = time.getTime()
      const contents = await Promise.all(
        [...settings.keys()].map(async (name) => [name, await contentOf(name)] as const),
      )
      moments.push({ at: now, contents: new Map(contents) })
    },
    async stop() {
      await served.stop()
      tables.close()
    },
  }
}

/** Lambda: ListFunctions, PutFunctionConcurrency, DeleteFunctionConcurrency. */
function concurrency(
  { method, path, body }: Request,
  functions: readonly string[],
  limits: Map<string, number>,
): Reply {
  if (method === 'GET') return json(200, { Functions: functions.map((FunctionName) => ({ FunctionName })) })
  const [, name = ''] = /^\/2017-10-31\/functions\/([^/]+)\/concurrency$/.exec(path) ?? []
  if (!functions.includes(name)) return json(404, { Message: `Function not found: ${name}` })
  if (method === 'DELETE') limits.delete(name)
  else limits.set(name, JSON.parse(body).ReservedConcurrentExecutions)
  return method === 'DELETE' ? { status: 204 } : json(200, JSON.parse(body))
}
