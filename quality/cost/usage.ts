import { declared, measuredOf, metricsInAlarms } from './measured.ts'
import type { Billed } from './prices.ts'

/** The usage of a stage in a month of 30 days. */
export type Usage = Readonly<Record<Billed, number>>

const HOURS = 30 * 24
const SECONDS = HOURS * 3600

/** Lambda allots processor time by memory; 1,769 MB have one processor (AWS Lambda developer guide, "memory"). */
const MEMORY_MB = 512
const PROCESSORS = MEMORY_MB / 1769

const { firstAnswer, nextAnswerCpu } = measuredOf('webhookStripe')

/**
 * What is counted by tests, measured, or assumed: of one webhook, an accepted payment of 3 KB that Stripe reports, and of a
 * stage.
 */
export const ASSUMED = {
  waitMilliseconds: { figure: 20, why: 'for DynamoDB, in each webhook' },
  coldShare: { figure: 0.01, why: 'of webhooks meet a function that has to start' },
  writeUnits: { figure: 6.11, why: 'counted by a test (6), 0.1 of the rate limiter, and one of each start' },
  failedShare: { figure: 0.01, why: 'of webhooks fail once and are run again' },
  retryWriteUnits: { figure: 13, why: 'more for those, counted by a test (19 in place of 6)' },
  deletionWriteUnits: { figure: 1, why: 'of the deletion of a payload, counted by a test' },
  deletionReadUnits: { figure: 1.1, why: 'of the same: a look at its deliveries and its place in the list' },
  loggedKilobytes: {
    figure: 1.45,
    why: 'a line of the audit, one of metrics, one of the gateway, and three of Lambda',
  },
  freshKilobytes: { figure: 2.2, why: 'that event and payment take with their indexes, while the payload is kept' },
  oldKilobytes: { figure: 1.4, why: 'that are left of both for good' },
  keptMonths: { figure: 3, why: 'for which payloads and logs are kept (90 days)' },
  metrics: { figure: 29, why: 'names and dimensions, with five senders' },
  noteWriteUnits: { figure: 5 * 6, why: 'an hour, for each instance: five senders, each noted once in ten minutes' },
  secrets: { figure: 4, why: 'all of them in use' },
  requestsPerInstance: { figure: 10, why: 'a second, until Lambda starts one more' },
  tasks: { figure: 2, why: 'of the container, in two zones with a NAT gateway each' },
  capacityUnits: { figure: 1, why: 'of the load balancer, at all times' },
  changesPerReceipt: { figure: 5, why: 'that a task is handed by one request, at 100 million' },
} as const

/** Billed milliseconds of one webhook, in a warm function and in one that starts. */
export const MILLISECONDS = {
  warm: nextAnswerCpu / PROCESSORS + ASSUMED.waitMilliseconds.figure,
  cold: firstAnswer + ASSUMED.waitMilliseconds.figure,
}

/** Polls of a queue that nothing comes to: one every 20 seconds. */
const POLLS = SECONDS / 20

/** Lambda polls each of the two queues five times over. */
const POLLERS = 2 * 5

/**
 * The scan every five minutes: one run of 0.2 seconds, queries of half a unit for each of five index keys, and three units
 * for who was heard in 35 days, and who was refused.
 */
const SCANS = SECONDS / 300
const SCAN_READ_UNITS = 5 * 0.5 + 3

/** The canary every five minutes: a run that waits for its webhook, and one of the webhook, a duplicate. */
const CANARIES = SECONDS / 300

/** The size of a published change. */
const CHANGE_KB = 1

/**
 * The usage of one month.
 * @param webhooks webhooks per month, evenly distributed
 * @param months how many such months were before, and this one
 */
export function usageOf(webhooks: number, months = 1): Usage {
  const retries = webhooks * ASSUMED.failedShare.figure
  const invocations = webhooks + retries + SCANS + 2 * CANARIES
  const { coldShare } = ASSUMED
  const seconds = (MILLISECONDS.warm * (1 - coldShare.figure) + MILLISECONDS.cold * coldShare.figure) / 1000
  const instances = Math.ceil(webhooks / SECONDS / ASSUMED.requestsPerInstance.figure)
  const logGigabytes = gigabytes(invocations * ASSUMED.loggedKilobytes.figure)
  const fresh = Math.min(months, ASSUMED.keptMonths.figure)
  const kept = ASSUMED.freshKilobytes.figure * fresh + ASSUMED.oldKilobytes.figure * (months - fresh)
  return {
    httpRequests: webhooks + CANARIES,
    invocations,
    gigabyteSeconds: (MEMORY_MB / 1024) * ((webhooks + retries + CANARIES) * seconds + (SCANS + CANARIES) * 0.2),
    writeUnits:
      webhooks * (ASSUMED.writeUnits.figure + ASSUMED.deletionWriteUnits.figure) +
      retries * ASSUMED.retryWriteUnits.figure +
      instances * HOURS * ASSUMED.noteWriteUnits.figure +
      CANARIES,
    readUnits: SCANS * SCAN_READ_UNITS + webhooks * ASSUMED.deletionReadUnits.figure,
    queueRequests: POLLERS * POLLS + retries * 3,
    logGigabytes,
    metrics: webhooks > 0 ? ASSUMED.metrics.figure : 0,
    alarms: metricsInAlarms(),
    dashboards: declared('AWS::CloudWatch::Dashboard'),
    secrets: ASSUMED.secrets.figure,
    secretCalls: (instances * SECONDS) / 300,
    storedGigabytes: gigabytes(webhooks * kept),
    storedLogs: logGigabytes * fresh,
    ...containerUsage(webhooks + 2 * retries),
  }
}

/** What the container uses, while somebody watches on each of its tasks. */
function containerUsage(changes: number) {
  const tasks = ASSUMED.tasks.figure
  const hours = tasks * HOURS
  return {
    taskProcessors: hours * 0.25,
    taskGigabytes: hours,
    balancerHours: HOURS,
    balancerUnits: HOURS * ASSUMED.capacityUnits.figure,
    // Two of the load balancer, and one of each NAT gateway.
    addressHours: (2 + tasks) * HOURS,
    natHours: hours,
    natGigabytes: gigabytes(tasks * changes * CHANGE_KB),
    publications: changes,
    // Each task has two queues, and deletes what it received with one more request.
    receipts: tasks * (2 * POLLS + (2 * changes) / ASSUMED.changesPerReceipt.figure),
  }
}

function gigabytes(kilobytes: number): number {
  return kilobytes / 1024 ** 2
}
