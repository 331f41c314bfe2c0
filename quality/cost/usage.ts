import type { Billed } from './prices.ts'

/** The usage of a stage in a month of 30 days. */
export type Usage = Readonly<Record<Billed, number>>

/**
 * What arrives, of 3 KB: a payment of Stripe, another event of Stripe (2.8 KB), an event of GitHub; with its write units alone and
 * with one destination, counted by test/contract/write-units.test.ts.
 */
export const EVENTS = {
  payment: { short: 'a payment', alone: 6, withDestination: 9 },
  other: { short: 'another', alone: 2, withDestination: 6 },
  unsigned: { short: 'of GitHub', alone: 5, withDestination: 8 },
} as const

interface Kind {
  readonly title: string
  /** How long it takes to answer, in milliseconds: an assumption. */
  readonly answers: number
  /** The attempts that fail before one succeeds. */
  readonly failures?: number
  /** What one delivery takes besides. */
  readonly each?: Partial<Usage>
  readonly secrets?: number
}

/** Where each event is delivered once. */
export const DESTINATIONS = {
  http: { title: 'http', answers: 100, secrets: 1 },
  sqs: { title: 'sqs', answers: 20, each: { queueRequests: 1 } },
  eventbridge: { title: 'eventbridge', answers: 20, each: { busEvents: 1 } },
  handler: { title: 'a handler', answers: 100 },
  failing: { title: 'http, two attempts of three fail', answers: 100, failures: 2, secrets: 1 },
} as const satisfies Record<string, Kind>

export interface Flow {
  readonly event?: keyof typeof EVENTS
  readonly destination?: keyof typeof DESTINATIONS | undefined
}

const HOURS = 30 * 24
const SECONDS = HOURS * 3600

/** Lambda allots processor time by memory; 1,769 MB have one processor (AWS Lambda developer guide, "memory"). */
const MEMORY_MB = 512
const PROCESSORS = MEMORY_MB / 1769

/**
 * What is counted by tests or assumed, of one webhook and of a stage. Times were measured on a machine that is not Lambda. All
 * logs use the class Standard: metric filters and embedded metrics need it.
 */
const ASSUMED = {
  // 2.9 ms of CPU at the processor that 512 MB get, and 20 for DynamoDB.
  warmMilliseconds: 2.9 / PROCESSORS + 20,
  // Until the first answer, and 20 for DynamoDB.
  coldMilliseconds: 100.6 + 20,
  // Of webhooks that meet a function that has to start.
  coldShare: 0.01,
  // 0.1 of the rate limiter (test/costs/rate-limit.test.ts), and one of each start.
  writeUnits: 0.11,
  // Of webhooks that fail once and are run again.
  failedShare: 0.01,
  // More for those, counted by a test: 19 in place of 6.
  retryWriteUnits: 13,
  // A line of the audit, one of metrics, one of the gateway, and three of Lambda.
  loggedKilobytes: 1.45,
  // That event and payment take with their indexes, while the event is kept.
  freshKilobytes: 2.2,
  // Of the payment with its index, which stays for good.
  oldKilobytes: 0.6,
  // For which events and logs are kept: 90 days.
  keptMonths: 3,
  // Names and dimensions, with five senders; that of the scan is there without any.
  metrics: 26,
  scanMetrics: 1,
  // Counted by test/unit/infra/alarms.test.ts: alarms on metric math pay for each metric that it computes with.
  alarmMetrics: 31,
  // An hour, for each instance: five senders, each noted once in ten minutes.
  noteWriteUnits: 5 * 6,
  // `tokens` and `webhooks`. A destination over HTTP, login providers and a directory need one more each (infra/deployed.ts).
  secrets: 2,
  // A second, until Lambda starts one more.
  requestsPerInstance: 10,
  // Of the container, in two zones with a NAT gateway each.
  tasks: 2,
  capacityUnits: 1,
  // Read units a second of a task while a client watches: two reads of eight keys.
  watchReads: 2 * 8 * 0.5,
  // Of a task for each change, which some fifteen reads find.
  changeReadUnits: 0.4,
  // Of the same, through the NAT gateway.
  changeKilobytes: 5,
  // With kmsKeyArn. DynamoDB asks for a key again five minutes after the last time, for each connection with traffic (its developer
  // guide, "Encryption at rest: how it works"): intake, retry and scan have three tables each.
  connectionTables: 3,
  // SQS in as many minutes: twice for each of two functions that send to a queue, once for the one that receives (its developer
  // guide, "Estimating AWS KMS costs").
  queueKeyCalls: 2 * 2 + 1,
} as const

/** Of a delivery, which has an invocation of its own: `batchSize: 1` (test/unit/infra/deliver/derive.test.ts). */
const DELIVERY = {
  // For the hint that the intake sends.
  sendMilliseconds: 20,
  // 8.8 ms of CPU, and 20 for two requests to DynamoDB, besides what the destination takes.
  milliseconds: 8.8 / PROCESSORS + 20,
  // Of the claim and the end, and of an attempt that fails (test/contract/write-units.test.ts).
  writeUnits: 3,
  failureWriteUnits: 6,
  // The hint is sent, received and deleted.
  queueRequests: 3,
  // A line of the log, one of metrics, and three of Lambda; one more of a failure.
  loggedKilobytes: 0.85,
  failureKilobytes: 0.3,
  // The longest wait, successes and failures: of the destination, and of all.
  scanMetrics: 2,
  successMetrics: 2,
  failureMetrics: 2,
  alarmMetrics: 2,
  // A process reads the state of the destination once in so many seconds, and writes failures once in one
  // (test/contract/delivery-requests.test.ts).
  stateSeconds: 5,
  // Of one scan: two queries of states, and two of four index keys.
  scanReadUnits: 10 * 0.5,
} as const

/** Polls of a queue that nothing comes to: one every 20 seconds; Lambda polls each of the two queues five times over. */
const POLLS = SECONDS / 20
const POLLERS = 5

/**
 * The scan every five minutes: one run of 0.2 seconds, and queries of half a unit for each of five index keys. That of deliveries is
 * every minute.
 */
const SCANS = SECONDS / 300
const SCAN_READ_UNITS = 5 * 0.5
const SCAN_SECONDS = 0.2
const DELIVERY_SCANS = SECONDS / 60

/**
 * The usage of one month.
 * @param webhooks webhooks per month, evenly distributed
 * @param months how many such months were before, and this one
 */
export function usageOf(webhooks: number, months = 1, { event = 'payment', destination }: Flow = {}): Usage {
  const { alone, withDestination } = EVENTS[event]
  if (destination === undefined) return intakeUsage(webhooks, months, alone)
  const usage: Record<Billed, number> = { ...intakeUsage(webhooks, months, withDestination) }
  for (const [name, more] of Object.entries(deliveryUsage(webhooks, DESTINATIONS[destination])))
    usage[name as Billed] += more
  return usage
}

function intakeUsage(webhooks: number, months: number, units: number): Usage {
  const retries = webhooks * ASSUMED.failedShare
  const invocations = webhooks + retries + SCANS
  const { warmMilliseconds, coldMilliseconds, coldShare } = ASSUMED
  const seconds = (warmMilliseconds * (1 - coldShare) + coldMilliseconds * coldShare) / 1000
  const instances = Math.ceil(webhooks / SECONDS / ASSUMED.requestsPerInstance)
  const logGigabytes = gigabytes(invocations * ASSUMED.loggedKilobytes)
  const fresh = Math.min(months, ASSUMED.keptMonths)
  const kept = ASSUMED.freshKilobytes * fresh + ASSUMED.oldKilobytes * (months - fresh)
  return {
    httpRequests: webhooks,
    invocations,
    gigabyteSeconds: (MEMORY_MB / 1024) * ((webhooks + retries) * seconds + SCANS * SCAN_SECONDS),
    writeUnits:
      webhooks * (units + ASSUMED.writeUnits) +
      retries * ASSUMED.retryWriteUnits +
      instances * HOURS * ASSUMED.noteWriteUnits,
    readUnits: SCANS * SCAN_READ_UNITS,
    queueRequests: 2 * POLLERS * POLLS + retries * 3,
    busEvents: 0,
    logGigabytes,
    metrics: webhooks > 0 ? ASSUMED.metrics : ASSUMED.scanMetrics,
    alarms: ASSUMED.alarmMetrics,
    dashboards: 1,
    secrets: ASSUMED.secrets,
    secretCalls: (instances * SECONDS) / 300,
    storedGigabytes: gigabytes(webhooks * kept),
    storedLogs: logGigabytes * fresh,
    ...containerUsage(webhooks + 2 * retries),
    ...keyUsage(instances),
  }
}

/** What a destination adds that gets every webhook. */
function deliveryUsage(webhooks: number, { answers, failures = 0, each = {}, secrets = 0 }: Kind): Partial<Usage> {
  const attempts = webhooks * (1 + failures)
  const failed = webhooks * failures
  const seconds = (DELIVERY.milliseconds + answers) / 1000
  const processes = Math.ceil((attempts / SECONDS) * seconds)
  return {
    invocations: attempts + DELIVERY_SCANS,
    gigabyteSeconds:
      (MEMORY_MB / 1024) *
      ((webhooks * DELIVERY.sendMilliseconds) / 1000 + attempts * seconds + DELIVERY_SCANS * SCAN_SECONDS),
    writeUnits: webhooks * DELIVERY.writeUnits + failed * DELIVERY.failureWriteUnits + Math.min(failed, SECONDS),
    readUnits: processes * (SECONDS / DELIVERY.stateSeconds) + DELIVERY_SCANS * DELIVERY.scanReadUnits,
    queueRequests: POLLERS * POLLS + attempts * DELIVERY.queueRequests + webhooks * (each.queueRequests ?? 0),
    busEvents: webhooks * (each.busEvents ?? 0),
    logGigabytes: gigabytes(
      (attempts + DELIVERY_SCANS) * DELIVERY.loggedKilobytes + failed * DELIVERY.failureKilobytes,
    ),
    metrics:
      DELIVERY.scanMetrics + (webhooks > 0 ? DELIVERY.successMetrics : 0) + (failed > 0 ? DELIVERY.failureMetrics : 0),
    alarms: DELIVERY.alarmMetrics,
    secrets,
    secretCalls: (secrets * processes * SECONDS) / 300,
  }
}

/** What a key of the stage's own is used for. @param intakes instances */
function keyUsage(intakes: number) {
  const { connectionTables, queueKeyCalls } = ASSUMED
  const retries = Math.min(intakes, 1)
  const periodCalls = (1 + retries + intakes) * connectionTables + retries * queueKeyCalls
  return { keys: 1, keyCalls: (SECONDS / 300) * (periodCalls + intakes) }
}

/** What the container uses, while somebody watches on each of its tasks. */
function containerUsage(changes: number) {
  const { tasks } = ASSUMED
  const hours = tasks * HOURS
  return {
    taskProcessors: hours * 0.25,
    taskGigabytes: hours,
    balancerHours: HOURS,
    balancerUnits: HOURS * ASSUMED.capacityUnits,
    // Two of the load balancer, and one of each NAT gateway.
    addressHours: (2 + tasks) * HOURS,
    natHours: hours,
    natGigabytes: gigabytes(tasks * changes * ASSUMED.changeKilobytes),
    watchUnits: tasks * (SECONDS * ASSUMED.watchReads + changes * ASSUMED.changeReadUnits),
  }
}

function gigabytes(kilobytes: number): number {
  return kilobytes / 1024 ** 2
}
