import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  paginateScan,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'

/** What emulators do not keep of a table. A restored one has none of it (DynamoDB API reference, both restores). */
export interface TableSettings {
  isProtected: boolean
  /** Since when it can be restored; undefined without point-in-time recovery. */
  recoverableFrom: number | undefined
  timeToLive: string | undefined
  /** Whether AWS's key in KMS encrypts it; a backup is restored without, unless that is asked for. */
  hasKmsKey: boolean
}

/** What a table was at some time. */
interface TableContent {
  readonly rows: readonly Record<string, AttributeValue>[]
  /** As CreateTable takes it, without the name: what a restored table has of its source. */
  readonly shape: Omit<CreateTableCommandInput, 'TableName'>
}

interface Backup {
  readonly arn: string
  readonly table: string
  readonly at: number
  readonly content: TableContent
}

/** What an operation was asked with. */
interface Asked extends Readonly<Record<string, unknown>> {
  readonly TableName: string
  readonly SourceTableName: string
  readonly TargetTableName: string
  readonly BackupArn: string
  readonly RestoreDateTime: number
  readonly SSESpecificationOverride?: { readonly Enabled: boolean }
  readonly PointInTimeRecoverySpecification: { readonly PointInTimeRecoveryEnabled: boolean }
  readonly TimeToLiveSpecification: { readonly Enabled: boolean; readonly AttributeName: string }
}

/** An error of AWS, which its clients show with code and message. */
class Refusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const local = (name: string) => name.replaceAll('gatehouse-prod-', 'gatehouse-local-')

export type RestoreStandIn = Awaited<ReturnType<typeof startRestores>>

/**
 * Plays DynamoDB's backups and restores, and Lambda's concurrency, in front of a local run.
 * @param settings by the names of the stage; those of deleted tables go
 * @param functions the names of all functions of the account
 */
export async function startRestores(
  endpoints: { readonly dynamodb: string },
  settings: Map<string, TableSettings>,
  functions: readonly string[],
) {
  const tables = wholeTables(endpoints.dynamodb)
  const moments: { readonly at: number; readonly contents: ReadonlyMap<string, TableContent> }[] = []
  const backups: Backup[] = []
  const limits = new Map<string, number>()
  const deployed = new Set(settings.keys())
  const writers: string[] = []
  let now = 0

  const running = () => functions.filter((name) => limits.get(name) !== 0)

  function known(name: string): TableSettings {
    const found = settings.get(name)
    if (found === undefined) throw new Refusal('ResourceNotFoundException', `Requested resource not found: ${name}`)
    return found
  }

  /** Makes the table of a restore, with nothing but rows, keys, indexes and the key that encrypts it. */
  async function restore(target: string, content: TableContent | undefined, hasKmsKey: boolean): Promise<object> {
    if (settings.has(target)) throw new Refusal('TableAlreadyExistsException', `Table already exists: ${target}`)
    if (content === undefined) throw new Refusal('ValidationException', `Nothing to restore: ${target}`)
    await tables.make(local(target), content)
    settings.set(target, { isProtected: false, recoverableFrom: undefined, timeToLive: undefined, hasKmsKey })
    return { TableDescription: { TableName: target, TableStatus: 'CREATING' } }
  }

  const detailsOf = ({ arn, at }: Backup) => ({
    BackupArn: arn,
    BackupName: 'restore',
    BackupStatus: 'AVAILABLE',
    BackupType: 'USER',
    BackupCreationDateTime: at / 1000,
  })

  const operations: Readonly<Record<string, (asked: Asked) => object | Promise<object>>> = {
    RestoreTableToPointInTime({ SourceTableName: source, TargetTableName: target, RestoreDateTime: seconds }) {
      const { recoverableFrom, hasKmsKey } = known(source)
      if (recoverableFrom === undefined)
        throw new Refusal('PointInTimeRecoveryUnavailableException', `Point in time recovery is not enabled: ${source}`)
      const moment = moments.findLast(({ at }) => at <= seconds * 1000)
      return restore(target, moment?.contents.get(source), hasKmsKey)
    },
    RestoreTableFromBackup({ TargetTableName: target, BackupArn: arn, SSESpecificationOverride: sse }) {
      return restore(target, backups.find((each) => each.arn === arn)?.content, sse?.Enabled === true)
    },
    async CreateBackup({ TableName: table }) {
      const arn = `arn:aws:dynamodb:eu-central-1:111122223333:table/${table}/backup/${backups.length + 1}`
      const made: Backup = { arn, table, at: now + backups.length, content: await tables.read(local(table)) }
      backups.push(made)
      return { BackupDetails: { ...detailsOf(made), BackupStatus: 'CREATING' } }
    },
    DescribeBackup({ BackupArn: arn }) {
      return { BackupDescription: { BackupDetails: backups.filter((each) => each.arn === arn).map(detailsOf)[0] } }
    },
    // In no order that the reference promises.
    ListBackups: ({ TableName: table }) => ({
      BackupSummaries: backups
        .filter((each) => each.table === table)
        .map((each) => ({ TableName: table, ...detailsOf(each) }))
        .reverse(),
    }),
    UpdateContinuousBackups({ TableName: name, PointInTimeRecoverySpecification: wanted }) {
      known(name).recoverableFrom = wanted.PointInTimeRecoveryEnabled ? now : undefined
      return { ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED' } }
    },
    UpdateTimeToLive({ TableName: name, TimeToLiveSpecification: wanted }) {
      known(name).timeToLive = wanted.Enabled ? wanted.AttributeName : undefined
      return { TimeToLiveSpecification: wanted }
    },
    UpdateTable(asked) {
      known(asked.TableName).isProtected = Boolean(asked['DeletionProtectionEnabled'])
      return {}
    },
  }

  /** An answer in JSON; undefined where the local run answers. */
  async function answerOf(operation: string, asked: Asked): Promise<object | undefined> {
    if (operation !== 'DeleteTable') return operations[operation]?.(asked)
    if (known(asked.TableName).isProtected)
      throw new Refusal('ValidationException', 'Resource cannot be deleted as it is protected against deletion')
    if (deployed.has(asked.TableName)) writers.push(...running())
    settings.delete(asked.TableName)
    return undefined
  }

  /** Lambda: ListFunctions, PutFunctionConcurrency, DeleteFunctionConcurrency. */
  function concurrency(method: string | undefined, url: string, body: string): object {
    if (method === 'GET') return { Functions: functions.map((FunctionName) => ({ FunctionName })) }
    const [, name = ''] = /\/functions\/([^/]+)\/concurrency$/.exec(url) ?? []
    if (method === 'DELETE') limits.delete(name)
    else limits.set(name, JSON.parse(body).ReservedConcurrentExecutions)
    return {}
  }

  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request
    const body = await text(request)
    response.setHeader('content-type', 'application/x-amz-json-1.1')
    const target = headers['x-amz-target']
    try {
      const answer =
        target === undefined
          ? concurrency(method, url, body)
          : await answerOf(String(target).split('.')[1] ?? '', JSON.parse(body))
      response.end(answer ? JSON.stringify(answer) : await forward(endpoints.dynamodb, headers, local(body)))
    } catch (error) {
      const { code, message } = error as Refusal
      response.writeHead(400).end(JSON.stringify({ __type: code, message }))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings,
    /** Functions that may run. */
    running,
    /** Which functions might have written while a table of the stage was deleted. */
    writers,
    /** It is this time now, and every table can be restored as it is. */
    async reach(time: Date): Promise<void> {
      now = time.getTime()
      const read = async (name: string) => [name, await tables.read(local(name))] as const
      moments.push({ at: now, contents: new Map(await Promise.all([...settings.keys()].map(read))) })
    },
    async stop(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      tables.close()
    },
  }
}

/** Asks the local run that plays the stage. */
async function forward(endpoint: string, headers: IncomingHttpHeaders, body: string): Promise<string> {
  const names = ['x-amz-target', 'content-type', 'authorization', 'x-amz-date']
  const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  const response = await fetch(endpoint, { method: 'POST', headers: sent, body })
  const answer = await response.text()
  if (response.ok) return answer
  const { __type: type = '', message } = JSON.parse(answer)
  throw new Refusal(type.split('#').at(-1), message)
}

/** The tables of an emulator, read and made anew as a whole. */
function wholeTables(endpoint: string) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials })
  return {
    async read(name: string): Promise<TableContent> {
      const { Table: table = {} } = await client.send(new DescribeTableCommand({ TableName: name }))
      const rows: Record<string, AttributeValue>[] = []
      for await (const { Items: page = [] } of paginateScan({ client }, { TableName: name })) rows.push(...page)
      return { rows, shape: shapeOf(table) }
    },

    async make(name: string, { rows, shape }: TableContent): Promise<void> {
      await client.send(new CreateTableCommand({ TableName: name, ...shape }))
      for (let start = 0; start < rows.length; start += 25) {
        const requests = rows.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }))
        await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: requests } }))
      }
    },

    close: () => client.destroy(),
  }
}

function shapeOf({ AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: indexes }: TableDescription) {
  const kept = indexes?.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }))
  return {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions,
    KeySchema,
    ...(kept && { GlobalSecondaryIndexes: kept }),
  } as TableContent['shape']
}
