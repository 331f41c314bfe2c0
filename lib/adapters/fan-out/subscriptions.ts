import {
  NotFoundException,
  paginateListSubscriptionsByTopic,
  SubscribeCommand,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns'
import { type FanOutClients, inTime } from './engine.ts'
import { ORIGIN } from './publication.ts'
import type { Queue } from './queue.ts'
import { isInstanceQueue, nameOfQueue } from './queue-names.ts'

/** A topic's promise to send to the queue of an instance. */
export interface Subscription {
  readonly arn: string
  readonly queueName: string
}

/**
 * Has a topic send its messages to a queue as they are; SNS gives back the subscription that is there.
 * @param origin of the messages that are not sent: the instance itself has them. It may take a quarter of an hour until SNS
 * leaves them out (SNS developer guide, subscription filter policies)
 * @returns the ARN of the subscription
 */
export async function subscribe(
  { sns, topics }: FanOutClients,
  topicArn: string,
  queue: Queue,
  origin: string,
): Promise<string> {
  const filter = topicArn === topics.messages && {
    FilterPolicy: JSON.stringify({ [ORIGIN]: [{ 'anything-but': [origin] }] }),
  }
  const command = new SubscribeCommand({
    TopicArn: topicArn,
    Protocol: 'sqs',
    Endpoint: queue.arn,
    Attributes: { RawMessageDelivery: 'true', ...filter },
    ReturnSubscriptionArn: true,
  })
  const { SubscriptionArn: arn = '' } = await sns.send(command, inTime())
  return arn
}

/** Ends a subscription, if it is still there. */
export async function unsubscribe({ sns }: FanOutClients, arn: string): Promise<void> {
  try {
    await sns.send(new UnsubscribeCommand({ SubscriptionArn: arn }), inTime())
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error
  }
}

/** The subscriptions of all instances that are or were, to all topics. */
export async function listSubscriptions(engine: FanOutClients): Promise<readonly Subscription[]> {
  const perTopic = await Promise.all(Object.values(engine.topics).map((topicArn) => listOf(engine, topicArn)))
  return perTopic.flat().filter(({ queueName }) => isInstanceQueue(engine, queueName))
}

async function listOf({ sns: client }: FanOutClients, topicArn: string): Promise<readonly Subscription[]> {
  const subscriptions: Subscription[] = []
  for await (const page of paginateListSubscriptionsByTopic({ client }, { TopicArn: topicArn }, inTime())) {
    for (const { SubscriptionArn: arn = '', Endpoint: endpoint = '' } of page.Subscriptions ?? []) {
      // One that has just ended may still be listed, with a word instead of its ARN.
      if (arn.startsWith('arn:')) subscriptions.push({ arn, queueName: nameOfQueue(endpoint) })
    }
  }
  return subscriptions
}
