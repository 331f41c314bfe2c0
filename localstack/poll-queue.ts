import { setTimeout } from 'node:timers/promises'
import {
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { type EventSourceMapping, settled } from './event-source.ts'
import type { Invoke } from './invoke.ts'
import { sqsEvent } from './sqs-event.ts'

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
