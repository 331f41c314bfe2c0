import { PublishCommand } from '@aws-sdk/client-sns'
import type { BusMessage } from '../../stomp/bus.ts'
import { type FanOutClients, inTime } from './engine.ts'
import { envelopeOf } from './notification.ts'

/**
 * Sends a message to all instances.
 * @param id tells it from others, however often it arrives
 * @throws whatever kept it, or because that took too long
 */
export async function publish({ sns, topics }: FanOutClients, id: string, message: BusMessage): Promise<void> {
  await sns.send(new PublishCommand({ TopicArn: topics.messages, Message: envelopeOf(id, message) }), inTime())
}
