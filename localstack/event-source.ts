import type { SQSRecord } from 'aws-lambda'
import * as z from 'zod/mini'

/** A function that reads a queue, as serverless.yml declares it. */
export interface EventSourceMapping {
  readonly functionName: string
  readonly queueArn: string
  readonly batchSize: number
  /** How many of its calls run at once. */
  readonly pollers: number
  /** Whether the function reports which messages failed. */
  readonly reportsFailures: boolean
}

/** What Lambda begins with for a queue, too (developer guide, "Scaling behavior"). */
const MAXIMUM_POLLERS = 5

const declaration = z.object({
  arn: z.string(),
  batchSize: z._default(z.number(), 10),
  functionResponseType: z.optional(z.string()),
  maximumConcurrency: z.optional(z.number()),
})

/** @param declared the `sqs` event of a function, its references resolved: the queue's ARN or an object with it */
export function eventSource(functionName: string, declared: unknown): EventSourceMapping {
  const {
    arn,
    batchSize,
    functionResponseType,
    maximumConcurrency = 1,
  } = z.parse(declaration, typeof declared === 'string' ? { arn: declared } : declared)
  return {
    functionName,
    queueArn: arn,
    batchSize,
    pollers: Math.min(maximumConcurrency, MAXIMUM_POLLERS),
    reportsFailures: functionResponseType === 'ReportBatchItemFailures',
  }
}

/** The result of an invocation. */
export interface InvocationResult {
  readonly isError: boolean
  /** What the function returned, as JSON; empty when it returned nothing. */
  readonly payload: string
}

/** Lambda developer guide, "Implementing partial batch responses": nothing, null and an empty list are success. */
const batchResponse = z.nullable(
  z.object({
    batchItemFailures: z.optional(z.nullable(z.array(z.object({ itemIdentifier: z.string().check(z.minLength(1)) })))),
  }),
)

/**
 * The messages that succeeded and may be deleted. All others stay on the queue, which delivers them again after the
 * visibility timeout. An answer that is unreadable, or names a message that was not sent, fails the whole batch.
 */
export function settled(
  records: readonly SQSRecord[],
  outcome: InvocationResult,
  reportsFailures: boolean,
): readonly SQSRecord[] {
  if (outcome.isError) return []
  if (!reportsFailures) return records
  const response = z.safeParse(batchResponse, parsed(outcome.payload))
  if (!response.success) return []
  const failed = new Set(response.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier))
  const left = records.filter(({ messageId }) => !failed.has(messageId))
  return left.length + failed.size === records.length ? left : []
}

function parsed(payload: string): unknown {
  try {
    return payload === '' ? null : JSON.parse(payload)
  } catch {
    return undefined
  }
}
