import { CreateTopicCommand, type SNSClient } from '@aws-sdk/client-sns'
import type { ResourceProvider } from './provider.ts'

/** Makes topics: CreateTopic gives back the one that is there. */
export function topicProvider(client: SNSClient): ResourceProvider {
  return async ({ TopicName: topicName }) => {
    const { TopicArn: arn = '' } = await client.send(new CreateTopicCommand({ Name: String(topicName) }))
    return { Ref: arn, Arn: arn }
  }
}
