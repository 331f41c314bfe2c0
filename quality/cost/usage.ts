import type { Billed } from './prices.ts'

/** The usage of a stage in a month of 30 days. */
export type Usage = Readonly<Record<Billed, number>>

const HOURS = 30 * 24
const SECONDS = HOURS * 3600

/** Lambda allots processor time by memory; 1,769 MB have one processor (AWS Lambda developer guide, "memory"). */
const MEMORY_MB = 512
const PROCESSORS = MEMORY_MB / 1769

/**
 * What is counted by tests or assumed, of one webhook, an accepted payment of 3 KB that Stripe reports, and of a stage. Times were
 * measured on a machine that is not Lambda. All logs use the class Standard: metric filters and embedded metrics need it.
 */
const ASSUMED = {
  // 2.9 ms of CPU at the processor that 512 MB get, and 20 for DynamoDB.
  warmMilliseconds: 2.9 / PROCESSORS + 20,
  // Until the first answer, and 20 for DynamoDB.
  coldMilliseconds: 100.6 + 20,
  // Of webhooks that meet a function that has to start.
  coldShare: 0.01,
  // Counted by test/contract/write-units.test.ts (6), 0.1 of the rate limiter, and one of each start.
  writeUnits: 6.11,
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
  // Names and dimensions, with five senders.
  metrics: 27,
  // Counted in infra/resources: alarms on metric math pay for each metric that it computes with.
  alarmMetrics: 32,
  // An hour, for each instance: five senders, each noted once in ten minutes.
  noteWriteUnits: 5 * 6,
  secrets: 5,
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

/** Polls of a queue that nothing comes to: one every 20 seconds; Lambda polls each of the two queues five times over. */
const POLLS = SECONDS / 20
const POLLERS = 2 * 5

/**
 * The scan every five minutes: one run of 0.2 seconds, and queries of half a unit for each of five index keys.
 */
const SCANS = SECONDS / 300
const SCAN_READ_UNITS = 5 * 0.5

/**
 * The usage of one month.
 * @param webhooks webhooks per month, evenly distributed
 * @param months how many such months were before, and this one
 */
export function usageOf(webhooks: number, months = 1): Usage {
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
    gigabyteSeconds: (MEMORY_MB / 1024) * ((webhooks + retries) * seconds + SCANS * 0.2),
    writeUnits:
      webhooks * ASSUMED.writeUnits + retries * ASSUMED.retryWriteUnits + instances * HOURS * ASSUMED.noteWriteUnits,
    readUnits: SCANS * SCAN_READ_UNITS,
    queueRequests: POLLERS * POLLS + retries * 3,
    logGigabytes,
    metrics: webhooks > 0 ? ASSUMED.metrics : 0,
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
