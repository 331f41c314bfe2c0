/** AWS's price of one item, in USD, on demand and without a free tier or a discount, in us-east-1. */
export interface Price {
  readonly service: string
  readonly usd: number
  /** The number of units that the price is for. */
  readonly per: number
  readonly unit: string
  /** The page with the price, under https://aws.amazon.com. */
  readonly page: string
  /** The date of the copy or transcript of that page that was read. */
  readonly seen: string
}

const MILLION = 1_000_000

const UNDATED = 'not dated'

export const PRICES = {
  httpRequests: {
    service: 'API Gateway, HTTP API',
    usd: 1,
    per: MILLION,
    unit: 'requests',
    page: '/api-gateway/pricing/',
    seen: '2026-09-20',
  },
  invocations: {
    service: 'Lambda',
    usd: 0.2,
    per: MILLION,
    unit: 'invocations',
    page: '/lambda/pricing/',
    seen: '2026-09-20',
  },
  gigabyteSeconds: {
    service: 'Lambda',
    usd: 13.3334,
    per: MILLION,
    unit: 'GB-seconds on ARM',
    page: '/lambda/pricing/',
    seen: '2026-05-11',
  },
  writeUnits: {
    service: 'DynamoDB',
    usd: 0.625,
    per: MILLION,
    unit: 'write request units',
    page: '/dynamodb/pricing/on-demand/',
    seen: UNDATED,
  },
  readUnits: {
    service: 'DynamoDB',
    usd: 0.125,
    per: MILLION,
    unit: 'read request units',
    page: '/dynamodb/pricing/on-demand/',
    seen: UNDATED,
  },
  storedGigabytes: {
    service: 'DynamoDB',
    usd: 0.45,
    per: 1,
    unit: 'GB kept; 0.25 to store it, 0.20 for point-in-time recovery',
    page: '/dynamodb/pricing/on-demand/',
    seen: UNDATED,
  },
  queueRequests: {
    service: 'SQS',
    usd: 0.4,
    per: MILLION,
    unit: 'requests',
    page: '/sqs/pricing/',
    seen: '2026-03-14',
  },
  publications: {
    service: 'SNS',
    usd: 0.5,
    per: MILLION,
    unit: 'publications; deliveries to SQS are free of charge',
    page: '/sns/pricing/',
    seen: UNDATED,
  },
  logGigabytes: {
    service: 'CloudWatch',
    usd: 0.5,
    per: 1,
    unit: 'GB of logs taken in',
    page: '/cloudwatch/pricing/',
    seen: '2026-06-13',
  },
  metrics: {
    service: 'CloudWatch',
    usd: 0.3,
    per: 1,
    unit: 'metrics of our own',
    page: '/cloudwatch/pricing/',
    seen: '2026-02-15',
  },
  alarms: {
    service: 'CloudWatch',
    usd: 0.1,
    per: 1,
    unit: 'metrics in alarms',
    page: '/cloudwatch/pricing/',
    seen: UNDATED,
  },
  dashboards: {
    service: 'CloudWatch',
    usd: 3,
    per: 1,
    unit: 'dashboards',
    page: '/cloudwatch/pricing/',
    seen: '2026-06-13',
  },
  traces: {
    service: 'X-Ray',
    usd: 5,
    per: MILLION,
    unit: 'traces recorded',
    page: '/xray/pricing/',
    seen: UNDATED,
  },
  secrets: {
    service: 'Secrets Manager',
    usd: 0.4,
    per: 1,
    unit: 'secrets',
    page: '/secrets-manager/pricing/',
    seen: '2026-09-20',
  },
  secretCalls: {
    service: 'Secrets Manager',
    usd: 0.05,
    per: 10_000,
    unit: 'calls',
    page: '/secrets-manager/pricing/',
    seen: '2026-09-20',
  },
} as const satisfies Record<string, Price>

export type Billed = keyof typeof PRICES
