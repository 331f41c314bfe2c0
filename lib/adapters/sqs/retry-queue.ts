import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { unavailable } from '../../errors.ts'
import { asciiJson, isNeverTaken, MessageRefused } from '../../runtime/message-text.ts'
import type { RetryHint } from '../../webhooks/event.ts'
import type { ReplayHint } from '../../webhooks/operators/replay.ts'
import { type HintQueue, LONGEST_DELAY } from '../../work/hints.ts'
import { bytesIn, createRetryBudget, retriesWithin, withoutLog } from '../aws/sdk.ts'

export type SqsSender = Pick<SQSClient, 'send'>

/** For all tries and the answer: a message is only a hint, and a sender waits for it, so rather leave it to the scan. */
const TIMEOUT_MS = 1000

/** A new client; endpoint and credentials come from the environment as AWS defines it. */
export function sqsClient(): SqsSender {
  return withoutLog(
    new SQSClient({
      retryStrategy: retriesWithin(createRetryBudget(), 2),
      streamCollector: bytesIn,
      useQueueUrlAsEndpoint: false,
    }),
  )
}

export function sqsRetryQueue(client: SqsSender, queueUrl: string): HintQueue<RetryHint> {
  return hintQueue(client, queueUrl)
}

export function sqsReplayQueue(client: SqsSender, queueUrl: string): HintQueue<ReplayHint> {
  return hintQueue(client, queueUrl)
}

function hintQueue(client: SqsSender, queueUrl: string): HintQueue<RetryHint | ReplayHint> {
  return {
    async send(hint: object, delayMs) {
      const command = new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: asciiJson(hint),
        DelaySeconds: Math.ceil(Math.min(LONGEST_DELAY, Math.max(0, delayMs)) / 1000),
      })
      try {
        await client.send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
      } catch (error) {
        const { name, message } = error instanceof Error ? error : new Error()
        throw isNeverTaken(name, message) ? new MessageRefused(name) : unavailable(error)
      }
    },
  }
}
