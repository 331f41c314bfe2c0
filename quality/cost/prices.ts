export type Part = 'use' | 'storage' | 'container'

/** AWS's price of one item, in USD, on demand and without a free tier or a discount, in us-east-1. */
export interface Price {
  readonly service: string
  /** What it is paid for: that webhooks come, that data is kept, or that the container is there. */
  readonly part: Part
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
    part: 'use',
    usd: 1,
    per: MILLION,
    unit: 'requests',
    page: '/api-gateway/pricing/',
    seen: '2026-09-20',
  },
  invocations: {
    service: 'Lambda',
    part: 'use',
    usd: 0.2,
    per: MILLION,
    unit: 'invocations',
    page: '/lambda/pricing/',
    seen: '2026-09-20',
  },
  gigabyteSeconds: {
    service: 'Lambda',
    part: 'use',
    usd: 13.3334,
    per: MILLION,
    unit: 'GB-seconds on ARM',
    page: '/lambda/pricing/',
    seen: '2026-05-11',
  },
  writeUnits: {
    service: 'DynamoDB',
    part: 'use',
    usd: 0.625,
    per: MILLION,
    unit: 'write request units',
    page: '/dynamodb/pricing/on-demand/',
    seen: UNDATED,
  },
  readUnits: {
    service: 'DynamoDB',
    part: 'use',
    usd: 0.125,
    per: MILLION,
    unit: 'read request units',
    page: '/dynamodb/pricing/on-demand/',
    seen: UNDATED,
  },
  storedGigabytes: {
    service: 'DynamoDB',
    part: 'storage',
    usd: 0.45,
    per: 1,
    unit: 'GB kept; 0.25 to store it, 0.20 for point-in-time recovery',
    page: '/dynamodb/pricing/on-demand/',
    seen: UNDATED,
  },
  queueRequests: {
    service: 'SQS',
    part: 'use',
    usd: 0.4,
    per: MILLION,
    unit: 'requests',
    page: '/sqs/pricing/',
    seen: '2026-03-14',
  },
  publications: {
    service: 'SNS',
    part: 'container',
    usd: 0.5,
    per: MILLION,
    unit: 'publications; deliveries to SQS are free of charge',
    page: '/sns/pricing/',
    seen: UNDATED,
  },
  logGigabytes: {
    service: 'CloudWatch',
    part: 'use',
    usd: 0.5,
    per: 1,
    unit: 'GB of logs taken in',
    page: '/cloudwatch/pricing/',
    seen: '2026-06-13',
  },
  metrics: {
    service: 'CloudWatch',
    part: 'use',
    usd: 0.3,
    per: 1,
    unit: 'metrics of our own',
    page: '/cloudwatch/pricing/',
    seen: '2026-02-15',
  },
  alarms: {
    service: 'CloudWatch',
    part: 'use',
    usd: 0.1,
    per: 1,
    unit: 'metrics in alarms',
    page: '/cloudwatch/pricing/',
    seen: UNDATED,
  },
  dashboards: {
    service: 'CloudWatch',
    part: 'use',
    usd: 3,
    per: 1,
    unit: 'dashboards',
    page: '/cloudwatch/pricing/',
    seen: '2026-06-13',
  },
  secrets: {
    service: 'Secrets Manager',
    part: 'use',
    usd: 0.4,
    per: 1,
    unit: 'secrets',
    page: '/secrets-manager/pricing/',
    seen: '2026-09-20',
  },
  secretCalls: {
    service: 'Secrets Manager',
    part: 'use',
    usd: 0.05,
    per: 10_000,
    unit: 'calls',
    page: '/secrets-manager/pricing/',
    seen: '2026-09-20',
  },
  storedLogs: {
    service: 'CloudWatch',
    part: 'storage',
    usd: 0.03,
    per: 1,
    unit: 'GB of logs kept',
    page: '/cloudwatch/pricing/',
    seen: '2026-06-13',
  },
  taskProcessors: {
    service: 'Fargate',
    part: 'container',
    usd: 0.03238,
    per: 1,
    unit: 'hours of a processor, ARM64',
    page: '/fargate/pricing/',
    seen: '2026-03-31',
  },
  taskGigabytes: {
    service: 'Fargate',
    part: 'container',
    usd: 0.00356,
    per: 1,
    unit: 'hours of a GB of memory, ARM64',
    page: '/fargate/pricing/',
    seen: '2026-03-31',
  },
  balancerHours: {
    service: 'Elastic Load Balancing',
    part: 'container',
    usd: 0.0225,
    per: 1,
    unit: 'hours',
    page: '/elasticloadbalancing/pricing/',
    seen: UNDATED,
  },
  balancerUnits: {
    service: 'Elastic Load Balancing',
    part: 'container',
    usd: 0.008,
    per: 1,
    unit: 'hours of a capacity unit',
    page: '/elasticloadbalancing/pricing/',
    seen: UNDATED,
  },
  addressHours: {
    service: 'VPC',
    part: 'container',
    usd: 0.005,
    per: 1,
    unit: 'hours of a public IPv4 address',
    page: '/vpc/pricing/',
    seen: '2026-02-24',
  },
  natHours: {
    service: 'VPC',
    part: 'container',
    usd: 0.045,
    per: 1,
    unit: 'hours of a NAT gateway',
    page: '/vpc/pricing/',
    seen: '2026-02-24',
  },
  natGigabytes: {
    service: 'VPC',
    part: 'container',
    usd: 0.045,
    per: 1,
    unit: 'GB through a NAT gateway',
    page: '/vpc/pricing/',
    seen: '2026-02-24',
  },
  receipts: {
    service: 'SQS',
    part: 'container',
    usd: 0.4,
    per: MILLION,
    unit: 'requests of the container',
    page: '/sqs/pricing/',
    seen: '2026-03-14',
  },
} as const satisfies Record<string, Price>

export type Billed = keyof typeof PRICES
