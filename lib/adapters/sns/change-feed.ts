import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import type { ChangeFeed } from '../../webhooks/change-feed.ts'

/** How long an answer may be held up by a hint: less than the endpoints' own reserve before their deadline. */
const TIMEOUT_MS = 400

export type Publisher = Pick<SNSClient, 'send'>

/** One client for the life of the process; endpoint and credentials come from the environment as AWS defines it. */
export function snsClient(): Publisher {
  return new SNSClient({ maxAttempts: 1 })
}

/** Publishes each change as JSON, once; connecting, sending and reading the answer share one time limit. */
export function snsChangeFeed(client: Publisher, topicArn: string): ChangeFeed {
  return {
    async publish(change) {
      const command = new PublishCommand({ TopicArn: topicArn, Message: JSON.stringify(change) })
      await client.send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
    },
  }
}
