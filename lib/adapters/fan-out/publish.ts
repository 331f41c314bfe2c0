import { PublishCommand } from '@aws-sdk/client-sns'
import { type FanOutClients, inTime } from './engine.ts'

/** The attribute by which an instance tells SNS not to send it its own messages. */
export const ORIGIN = 'origin'

/**
 * Sends a text to all instances but the one that it is from.
 * @throws whatever kept it, or because that took too long
 */
export async function publish({ sns, topics }: FanOutClients, origin: string, text: string): Promise<void> {
  const MessageAttributes = { [ORIGIN]: { DataType: 'String', StringValue: origin } }
  await sns.send(new PublishCommand({ TopicArn: topics.messages, Message: text, MessageAttributes }), inTime())
}
