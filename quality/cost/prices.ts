export type Part = 'use' | 'storage' | 'container' | 'key'

/** AWS's price of one item. */
export interface Price {
  /** What it is paid for: that webhooks come, that data is kept, or that the container or a key is there. */
  readonly part: Part
  readonly service: string
  readonly usd: number
  /** The number of units that the price is for. */
  readonly per: number
  readonly unit: string
}

const MILLION = 1_000_000

const of = (part: Part, service: string) => (usd: number, per: number, unit: string) =>
  ({ part, service, usd, per, unit }) as const
const [lambda, dynamodb] = [of('use', 'Lambda'), of('use', 'DynamoDB')]
const [cloudwatch, secrets] = [of('use', 'CloudWatch'), of('use', 'Secrets Manager')]
const [fargate, balancer] = [of('container', 'Fargate'), of('container', 'Elastic Load Balancing')]
const vpc = of('container', 'VPC')

/**
 * In USD, on demand and without a free tier, in us-east-1; other regions differ by up to a third. AWS's pages
 * (https://aws.amazon.com/<service>/pricing/) were not reachable: each price is of a copy or transcript, between February and
 * September 2026 where it is dated, which DynamoDB, alarms and the load balancer are not.
 */
export const PRICES = {
  httpRequests: of('use', 'API Gateway, HTTP API')(1, MILLION, 'requests'),
  invocations: lambda(0.2, MILLION, 'invocations'),
  gigabyteSeconds: lambda(13.3334, MILLION, 'GB-seconds on ARM'),
  writeUnits: dynamodb(0.625, MILLION, 'write request units'),
  readUnits: dynamodb(0.125, MILLION, 'read request units'),
  // 0.25 to store it, and 0.20 for point-in-time recovery.
  storedGigabytes: of('storage', 'DynamoDB')(0.45, 1, 'GB kept'),
  queueRequests: of('use', 'SQS')(0.4, MILLION, 'requests of up to 64 KB'),
  busEvents: of('use', 'EventBridge')(1, MILLION, 'events of up to 64 KB'),
  logGigabytes: cloudwatch(0.5, 1, 'GB of logs taken in'),
  metrics: cloudwatch(0.3, 1, 'metrics of our own'),
  alarms: cloudwatch(0.1, 1, 'metrics in alarms'),
  dashboards: cloudwatch(3, 1, 'dashboards'),
  secrets: secrets(0.4, 1, 'secrets'),
  secretCalls: secrets(0.05, 10_000, 'calls'),
  storedLogs: of('storage', 'CloudWatch')(0.03, 1, 'GB of logs kept'),
  taskProcessors: fargate(0.03238, 1, 'hours of a processor'),
  taskGigabytes: fargate(0.00356, 1, 'hours of a GB of memory'),
  balancerHours: balancer(0.0225, 1, 'hours'),
  balancerUnits: balancer(0.008, 1, 'hours of a capacity unit'),
  addressHours: vpc(0.005, 1, 'hours of a public IPv4 address'),
  natHours: vpc(0.045, 1, 'hours of a NAT gateway'),
  natGigabytes: vpc(0.045, 1, 'GB through a NAT gateway'),
  watchUnits: of('container', 'DynamoDB')(0.125, MILLION, 'read request units of the container'),
  keys: of('key', 'KMS')(1, 1, 'keys'),
  keyCalls: of('key', 'KMS')(0.03, 10_000, 'calls'),
} as const satisfies Record<string, Price>

export type Billed = keyof typeof PRICES
