import { type BatchWrite, type RowWrite, touchedBy } from './touched.ts'

/** A request to AWS as it is on the wire. */
export interface AwsRequest {
  /** The header with the signature, empty if there is none. */
  readonly authorization: string
  /** The header that names the action, empty in the query protocol. */
  readonly target: string
  readonly body: string
}

/** What IAM has to allow for a request: an action, and the resource as `lib/contract/grants.ts` names it. */
export interface AwsCall {
  /** With the prefix of its service. */
  readonly action: string
  /** `*` for an action that is not tied to a resource. */
  readonly resource: string
  /** What a put or an update of a row names, sets or compares. */
  readonly attributes?: readonly string[]
}

/** The scope of a signature (Signature Version 4): date, region and service. */
const SCOPE = /Credential=[^/]+\/\d{8}\/([^/]+)\/(\w+)\/aws4_request/

/** The calls that a request makes; none if it is not signed for AWS. An unknown form counts as a call on `*`. */
export function callsIn({ authorization, target, body }: AwsRequest): readonly AwsCall[] {
  const [, region = '', service] = SCOPE.exec(authorization) ?? []
  if (service === undefined) return []
  const form = new URLSearchParams(target === '' ? body : '')
  const action = target === '' ? (form.get('Action') ?? '') : target.replace(/^.*\./, '')
  const input = target === '' ? Object.fromEntries(form) : JSON.parse(body)
  const calls = CALLS[service]?.(action, input, region) ?? []
  return (calls.length > 0 ? calls : [[action] as Asked]).map(([name, resource = '*', attributes]) => ({
    action: `${service}:${name}`,
    resource,
    ...(attributes && { attributes }),
  }))
}

/** An action, the resource that it is made on, if there is one, and the attributes that it touches. */
type Asked = readonly [action: string, resource?: string | undefined, attributes?: readonly string[] | undefined]

interface BusInput {
  readonly Entries?: readonly { readonly EventBusName: string }[]
}

type Input = Readonly<Record<string, string | undefined>>

type CallsOf = (action: string, input: Input & DynamoDbInput & BusInput, region: string) => readonly Asked[]

const CALLS: Readonly<Record<string, CallsOf>> = {
  dynamodb: dynamoDbCalls,
  sqs: sqsCalls,
  events: (_, { Entries: entries = [] }) => entries.map(({ EventBusName: bus }) => ['PutEvents', bus]),
  secretsmanager: (action, { SecretId: secret }) => [
    [action, secret && `secret/${secret.replace(/^[^/]+\/[^/]+\//, '')}`],
  ],
}

interface DynamoDbInput extends RowWrite {
  readonly TableName?: string
  readonly IndexName?: string
  /** By table. */
  readonly RequestItems?: Readonly<Record<string, unknown>>
  /** Each with one key, the kind of the part. */
  readonly TransactItems?: readonly Readonly<Record<string, RowWrite & { readonly TableName: string }>>[]
}

/** A transaction needs the rights of its parts (DynamoDB developer guide, "IAM for transactions"). */
function dynamoDbCalls(action: string, input: DynamoDbInput): readonly Asked[] {
  const { TableName: table, IndexName: index, RequestItems: batch, TransactItems: parts } = input
  if (parts) {
    return parts.flatMap((part) =>
      Object.entries(part).map(
        ([kind, write]) => [`${kind}Item`, named(write.TableName, 'Table'), touchedBy(`${kind}Item`, write)] as const,
      ),
    )
  }
  if (batch) {
    return Object.entries(batch).map(
      ([name, rows]) =>
        [action, named(name, 'Table'), touchedBy(action, rows as RowWrite | readonly BatchWrite[])] as const,
    )
  }
  if (table === undefined) return []
  return [[action, named(table, 'Table') + (index === undefined ? '' : `/index/${index}`), touchedBy(action, input)]]
}

/** A batch needs the right of its parts (SQS developer guide, "Amazon SQS API permissions"). */
function sqsCalls(action: string, { QueueUrl: url }: Input, region: string): readonly Asked[] {
  const queue = url && named(url, 'Queue').replace(QUEUE_OF_OTHERS, `arn:aws:sqs:${region}:$1:$2`)
  return [[action.replace(/Batch$/, ''), queue]]
}

/** The address of a queue that is none of the stack's. */
const QUEUE_OF_OTHERS = /^https?:\/\/[^/]+\/(\d{12})\/([\w.-]+)$/

/** The stack's resource by its name, address or ARN; `gatehouse-prod-retry-dead` is RetryDeadQueue. */
function named(name: string, kind: 'Table' | 'Queue'): string {
  const [, own] = /^(?:.*[/:])?gatehouse-[a-z]+-([\w-]+)$/.exec(name) ?? []
  if (own === undefined) return name
  const words = own.split('-')
  return words.map((word) => word.replace(/^./, (letter) => letter.toUpperCase())).join('') + kind
}
