import { declared, measuredOf, metricsInAlarms } from './measured.ts'
import type { Billed } from './prices.ts'

/** The usage of the stack in a month of 30 days. */
export type Usage = Readonly<Record<Billed, number>>

const SECONDS = 30 * 86_400

/** Lambda allots processor time by memory; 1,769 MB have one processor (AWS Lambda developer guide, "memory"). */
const MEMORY_MB = 512
const PROCESSORS = MEMORY_MB / 1769

const { firstAnswer, nextAnswerCpu } = measuredOf('webhookPayment')

/**
 * Assumptions, not measured on a bill: the figures of one webhook, an accepted payment of 3 KB that hardly compresses,
 * and of the stack.
 */
export const ASSUMED = {
  waitMilliseconds: { figure: 20, why: 'for DynamoDB and SNS, in each webhook' },
  coldShare: { figure: 0.01, why: 'of webhooks meet a function that has to start' },
  writeUnits: { figure: 12.1, why: 'counted by a test (12), and 0.1 of the rate limiter' },
  failedShare: { figure: 0.01, why: 'of webhooks fail once and are run again' },
  retryWriteUnits: { figure: 30, why: 'of a failure and its retry: three writes, with their indexes' },
  deletionWriteUnits: { figure: 4, why: 'of the deletion of a payload, in the month in which its retention ends' },
  deletionReadUnits: { figure: 1.5, why: 'of the same: a look at its deliveries and its place in the list' },
  storedKilobytes: { figure: 4, why: 'with keys and indexes; what a month brought is paid for at its end' },
  loggedKilobytes: { figure: 2, why: 'audit, metrics, access log and what Lambda writes itself' },
  metrics: { figure: 40, why: 'names and dimensions, with five senders' },
  secrets: { figure: 4, why: 'all of them in use' },
  requestsPerInstance: { figure: 10, why: 'a second, until Lambda starts one more' },
} as const

/** Billed milliseconds of one webhook, in a warm function and in one that starts. */
export const MILLISECONDS = {
  warm: nextAnswerCpu / PROCESSORS + ASSUMED.waitMilliseconds.figure,
  cold: firstAnswer + ASSUMED.waitMilliseconds.figure,
}

/** Polls of the two queues: five pollers each, one poll every 20 seconds while the queue is empty. */
const POLLS = (2 * 5 * SECONDS) / 20

/** The scan every five minutes: one run of 0.2 seconds, and queries of half a unit for each of five index keys. */
const SCANS = SECONDS / 300

/** Lambda's default sampling: the first trace of each second, and 5 % of the others. */
function tracesOf(requests: number): number {
  const first = Math.min(requests, SECONDS)
  return first + 0.05 * (requests - first)
}

/** @param webhooks webhooks per month, evenly distributed */
export function usageOf(webhooks: number): Usage {
  const retries = webhooks * ASSUMED.failedShare.figure
  const invocations = webhooks + retries + SCANS
  const { coldShare } = ASSUMED
  const seconds = (MILLISECONDS.warm * (1 - coldShare.figure) + MILLISECONDS.cold * coldShare.figure) / 1000
  const instances = Math.ceil(webhooks / SECONDS / ASSUMED.requestsPerInstance.figure)
  return {
    httpRequests: webhooks,
    invocations,
    gigabyteSeconds: (MEMORY_MB / 1024) * ((webhooks + retries) * seconds + SCANS * 0.2),
    writeUnits:
      webhooks * (ASSUMED.writeUnits.figure + ASSUMED.deletionWriteUnits.figure) +
      retries * ASSUMED.retryWriteUnits.figure,
    readUnits: SCANS * 5 * 0.5 + webhooks * ASSUMED.deletionReadUnits.figure,
    storedGigabytes: (webhooks * ASSUMED.storedKilobytes.figure) / 1024 ** 2,
    queueRequests: POLLS + retries * 3,
    publications: webhooks + 2 * retries,
    logGigabytes: (invocations * ASSUMED.loggedKilobytes.figure) / 1024 ** 2,
    metrics: webhooks > 0 ? ASSUMED.metrics.figure : 0,
    alarms: metricsInAlarms(),
    dashboards: declared('AWS::CloudWatch::Dashboard'),
    traces: tracesOf(invocations),
    secrets: ASSUMED.secrets.figure,
    secretCalls: (instances * SECONDS) / 300,
  }
}
