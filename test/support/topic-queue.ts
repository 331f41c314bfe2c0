import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns'
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'

/** A queue of its own that hears what a topic carries, as each container instance has one. */
export interface TopicQueue {
  readonly topicArn: string
  /** The messages that have arrived, as they were published; waits up to `seconds` for the first. */
  receive(seconds?: number): Promise<readonly string[]>
}

/** @param endpoint of an emulator that speaks SQS and SNS */
export async function topicQueue(endpoint: string, topic: string): Promise<TopicQueue> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const settings = { endpoint, region: 'eu-central-1', credentials }
  const sqs = new SQSClient({ ...settings, useQueueUrlAsEndpoint: false })
  const sns = new SNSClient(settings)
  const { TopicArn: topicArn = '' } = await sns.send(new CreateTopicCommand({ Name: topic }))
  const { QueueUrl: url = '' } = await sqs.send(new CreateQueueCommand({ QueueName: `test-${crypto.randomUUID()}` }))
  const { Attributes: attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
  )
  await sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: 'sqs',
      Endpoint: attributes['QueueArn'],
      Attributes: { RawMessageDelivery: 'true' },
    }),
  )
  return {
    topicArn,
    async receive(seconds = 0) {
      const { Messages: messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, WaitTimeSeconds: seconds }),
      )
      if (messages.length === 0) return []
      const entries = messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }))
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: entries }))
      return messages.map(({ Body: body = '' }) => body)
    },
  }
}
