import { CreateTopicCommand, type SNSClient } from '@aws-sdk/client-sns'
import type { ResourceProvider } from './provider.ts'

/** Creates topics: CreateTopic returns an existing one. */
export function topicProvider(client: SNSClient): ResourceProvider {
  return async ({ TopicName: topicName }) => {
    const { TopicArn: arn = '' } = await client.send(new CreateTopicCommand({ Name: String(topicName) }))
    return { Ref: arn, Arn: arn }
  }
}
