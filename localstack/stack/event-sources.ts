import { Buffer } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import {
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSEvent, SQSMessageAttributes, SQSRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import { jsonIn } from './http.ts'
import { HOST } from './ports.ts'

/** Both are the maximum of ReceiveMessage. */
const LONG_POLL_SECONDS = 20
const MAXIMUM_BATCH = 10

/** The pause after a failure to reach a queue or a function, in milliseconds. */
const BACK_OFF = 1000

/** Passes the messages of a queue to a function, batch by batch, as Lambda's event source mapping does. */
export async function pollQueue(source: EventSourceMapping, invoke: Invoke, signal: AbortSignal): Promise<void> {
  const client = new SQSClient({ useQueueUrlAsEndpoint: false })
  let queueUrl: string | undefined

  async function receive(): Promise<readonly Message[]> {
    queueUrl ??= await findQueue(client, source)
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(source.batchSize, MAXIMUM_BATCH),
      WaitTimeSeconds: LONG_POLL_SECONDS,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    })
    return (await client.send(command, { abortSignal: signal })).Messages ?? []
  }

  async function handOver(messages: readonly Message[]): Promise<void> {
    const event = sqsEvent(messages, source.queueArn)
    const outcome = await invoke(source.functionName, event, signal)
    const entries = settled(event.Records, outcome, source.reportsFailures).map(({ receiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
    }))
    if (entries.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }))
  }

  while (!signal.aborted) {
    try {
      const messages = await receive()
      if (messages.length > 0) await handOver(messages)
    } catch (error) {
      await pauseAfter(error, signal)
    }
  }
}

async function findQueue(client: SQSClient, { queueArn }: EventSourceMapping): Promise<string | undefined> {
  const { QueueUrl: url } = await client.send(new GetQueueUrlCommand({ QueueName: queueArn.split(':').at(-1) }))
  return url
}

/** The endpoint may be restarting; messages that were not deleted are delivered again. */
async function pauseAfter(error: unknown, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  console.error('event source:', error)
  await setTimeout(BACK_OFF, undefined, { signal }).catch(() => {})
}

/** A function that reads a queue, as serverless.yml declares it. */
interface EventSourceMapping {
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
  const response = z.safeParse(batchResponse, jsonIn(outcome.payload || 'null'))
  if (!response.success) return []
  const failed = new Set(response.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier))
  const left = records.filter(({ messageId }) => !failed.has(messageId))
  return left.length + failed.size === records.length ? left : []
}

/** The event that Lambda makes of received messages (Lambda developer guide, "Using Lambda with Amazon SQS"). */
export function sqsEvent(messages: readonly Message[], queueArn: string): SQSEvent {
  return { Records: messages.map((message) => sqsRecord(message, queueArn)) }
}

function sqsRecord(message: Message, queueArn: string): SQSRecord {
  const { MessageId, ReceiptHandle, Body, Attributes, MessageAttributes, MD5OfBody, MD5OfMessageAttributes } = message
  return {
    messageId: MessageId ?? '',
    receiptHandle: ReceiptHandle ?? '',
    body: Body ?? '',
    attributes: {
      ApproximateReceiveCount: '',
      SentTimestamp: '',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '',
      ...Attributes,
    },
    messageAttributes: messageAttributes(MessageAttributes),
    md5OfBody: MD5OfBody ?? '',
    ...(MD5OfMessageAttributes !== undefined && { md5OfMessageAttributes: MD5OfMessageAttributes }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  }
}

function messageAttributes(attributes: Readonly<Record<string, MessageAttributeValue>> = {}): SQSMessageAttributes {
  const entries = Object.entries(attributes).map(([name, { StringValue, BinaryValue, DataType }]) => [
    name,
    {
      ...(StringValue !== undefined && { stringValue: StringValue }),
      ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
      stringListValues: [],
      binaryListValues: [],
      dataType: DataType ?? '',
    },
  ])
  return Object.fromEntries(entries)
}

/** Calls a function by name with an event. */
export type Invoke = (functionName: string, event: unknown, signal: AbortSignal) => Promise<InvocationResult>

/** Calls Lambda's Invoke API at the gateway. */
export function invokerAt(lambdaPort: number): Invoke {
  return async (functionName, event, signal) => {
    const url = `http://${HOST}:${lambdaPort}/2015-03-31/functions/${functionName}/invocations`
    const response = await fetch(url, { method: 'POST', body: Buffer.from(JSON.stringify(event)), signal })
    const payload = await response.text()
    return { isError: !response.ok || response.headers.has('x-amz-function-error'), payload }
  }
}
