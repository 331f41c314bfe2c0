import { readFileSync } from 'node:fs'

/** A documented quota of AWS: per second, unless it says otherwise. */
interface Quota {
  readonly figure: number
  readonly what: string
  /** The page, under https://docs.aws.amazon.com or https://repost.aws, and the day on which a copy of it was read. */
  readonly page: string
  readonly seen: string
}

const SEEN = '2026-11-26'
const DYNAMODB = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide'
const LAMBDA = 'https://docs.aws.amazon.com/lambda/latest/dg'
const SQS = 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide'

export const QUOTAS = {
  keyUnits: {
    figure: 1000,
    what: 'DynamoDB: write units of one partition, and so of one key',
    page: `${DYNAMODB}/bp-partition-key-design.html`,
    seen: SEEN,
  },
  newTableUnits: {
    figure: 4000,
    what: 'DynamoDB: write units of a new table or index on demand; then twice the peak, within 30 minutes',
    page: `${DYNAMODB}/on-demand-capacity-mode.html`,
    seen: SEEN,
  },
  tableUnits: {
    figure: 40_000,
    what: 'DynamoDB: write units of a table on demand; raised on request',
    page: `${DYNAMODB}/ServiceQuotas.html`,
    seen: SEEN,
  },
  concurrency: {
    figure: 1000,
    what: 'Lambda: functions at a time in an account and region; raised on request to tens of thousands',
    page: `${LAMBDA}/gettingstarted-limits.html`,
    seen: SEEN,
  },
  callsPerPlace: {
    figure: 10,
    what: 'Lambda: calls a second for each of them',
    page: `${LAMBDA}/lambda-concurrency.html`,
    seen: SEEN,
  },
  scaling: {
    figure: 1000,
    what: 'Lambda: more of one function in ten seconds; not raised',
    page: `${LAMBDA}/scaling-behavior.html`,
    seen: SEEN,
  },
  firstPollers: {
    figure: 5,
    what: 'Lambda: batches of a queue at once to begin with',
    page: `${LAMBDA}/services-sqs-scaling.html`,
    seen: SEEN,
  },
  morePollers: {
    figure: 300,
    what: 'Lambda: more of them in a minute',
    page: `${LAMBDA}/services-sqs-scaling.html`,
    seen: SEEN,
  },
  pollers: {
    figure: 1000,
    what: 'Lambda: `MaximumConcurrency` of one queue at most',
    page: `${LAMBDA}/services-sqs-scaling.html`,
    seen: SEEN,
  },
  requestRate: {
    figure: 10_000,
    what: 'API Gateway: requests in an account and region, 2,500 in some; raised on request',
    page: 'https://repost.aws/knowledge-center/api-gateway-throttling',
    seen: SEEN,
  },
  requestBurst: {
    figure: 5000,
    what: 'API Gateway: requests at once',
    page: 'https://repost.aws/knowledge-center/api-gateway-throttling',
    seen: SEEN,
  },
  inFlight: {
    figure: 120_000,
    what: 'SQS: messages of a queue that are under way; any number waits',
    page: `${SQS}/quotas-queues.html`,
    seen: SEEN,
  },
} as const satisfies Readonly<Record<string, Quota>>

/** AWS documents no figure for a new account; this one is what such accounts were seen to have. */
export const NEW_ACCOUNT = 10

/** What bounds a stage in an account. */
export interface Limits {
  readonly requestRate: number
  readonly requestBurst: number
  /** Functions at a time. */
  readonly concurrency: number
  /** Write units that each table and index takes at once. */
  readonly warmUnits: number
}

/** The stage as it is deployed. @throws Error when a file no longer says it */
export const DEPLOYED: Limits = {
  requestRate: numberIn('infra/parameters.yml', /^requestRate: (\d+)$/m),
  requestBurst: numberIn('infra/parameters.yml', /^requestBurst: (\d+)$/m),
  concurrency: QUOTAS.concurrency.figure,
  warmUnits: QUOTAS.newTableUnits.figure,
}

/** The same with the HTTP API opened as far as the account's quota, and tables warmed as far as theirs. */
export const OPENED: Limits = {
  requestRate: QUOTAS.requestRate.figure,
  requestBurst: QUOTAS.requestBurst.figure,
  concurrency: QUOTAS.concurrency.figure,
  warmUnits: QUOTAS.tableUnits.figure,
}

/** `MaximumConcurrency` of the retry queue. */
export const RETRY_PLACES = numberIn(
  'infra/resources/gateway.yml',
  /RetryEventEventSourceMappingSQSRetryQueue:\n.*\n\s+ScalingConfig: \{ MaximumConcurrency: (\d+) \}/,
)

function numberIn(file: string, pattern: RegExp): number {
  const found = pattern.exec(readFileSync(file, 'utf8'))?.[1]
  if (found === undefined) throw new Error(`${file} has no ${pattern.source}`)
  return Number(found)
}
