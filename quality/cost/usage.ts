import type { Billed } from './prices.ts'

/** The usage of a stage in a month of 30 days. */
export type Usage = Readonly<Record<Billed, number>>

const HOURS = 30 * 24
const SECONDS = HOURS * 3600

/** Lambda allots processor time by memory; 1,769 MB have one processor (AWS Lambda developer guide, "memory"). */
const MEMORY_MB = 512
const PROCESSORS = MEMORY_MB / 1769

/**
 * What is counted by tests or assumed, of one webhook, an accepted payment of 3 KB that Stripe reports, and of a stage;
 * docs/cost.md says what each figure is.
 */
const ASSUMED = {
  warmMilliseconds: 2.9 / PROCESSORS + 20,
  coldMilliseconds: 100.6 + 20,
  coldShare: 0.01,
  writeUnits: 6.11,
  failedShare: 0.01,
  retryWriteUnits: 13,
  loggedKilobytes: 1.45,
  freshKilobytes: 2.2,
  oldKilobytes: 0.6,
  keptMonths: 3,
  metrics: 27,
  // Counted in infra/resources: alarms on metric math pay for each metric that it computes with.
  alarmMetrics: 32,
  noteWriteUnits: 5 * 6,
  secrets: 5,
  requestsPerInstance: 10,
  tasks: 2,
  capacityUnits: 1,
  watchReads: 2 * 8 * 0.5,
  changeReadUnits: 0.4,
  changeKilobytes: 5,
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
  }
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
