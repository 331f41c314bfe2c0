import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import type { ChangeFeed } from '../../webhooks/change-feed.ts'

/** How long an answer may be held up by a hint: less than the endpoints' own reserve before their deadline. */
const TIMEOUT_MS = 400

export type Publisher = Pick<SNSClient, 'send'>

/** One client for the life of the process; endpoint and credentials come from the environment as AWS defines it. */
export function snsClient(): Publisher {
  return new SNSClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS, throwOnRequestTimeout: true },
  })
}

/** Publishes each change as JSON, once. */
export function snsChangeFeed(client: Publisher, topicArn: string): ChangeFeed {
  return {
    async publish(change) {
      const command = new PublishCommand({ TopicArn: topicArn, Message: JSON.stringify(change) })
      await client.send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
    },
  }
}
