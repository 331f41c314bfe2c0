import { type DeliveryQueue, deliveryQueueBeside } from '../../deliver/delivery.ts'
import { unavailable } from '../../errors.ts'
import { asciiJson, isNeverTaken, MessageRefused } from '../../runtime/message-text.ts'
import { LONGEST_DELAY } from '../../work/hints.ts'
import { type AwsClient, errorCodeIn } from '../aws/client.ts'
import { SEND_MESSAGE, type SqsMessage, sqsService } from './service.ts'

/**
 * The queues of the destinations, by signed requests: every webhook sends to each of its own.
 * @param retryQueueUrl the queue beside which they stand
 * @param timeout in milliseconds: a hint is sent once, for the scan finds what it would have woken
 */
export function sqsDeliveryQueue(
  retryQueueUrl: string,
  timeout: number,
  sqs: Pick<AwsClient, 'ask'> = sqsService(),
): DeliveryQueue {
  return {
    async send(hint, delayMs) {
      const message: SqsMessage = {
        QueueUrl: deliveryQueueBeside(retryQueueUrl, hint.destination),
        MessageBody: asciiJson(hint),
        DelaySeconds: Math.ceil(Math.min(LONGEST_DELAY, Math.max(0, delayMs)) / 1000),
      }
      try {
        const answer = await sqs.ask(SEND_MESSAGE, message, timeout)
        if (answer.status === 200) return
        const code = errorCodeIn(answer)
        if (isNeverTaken(code, answer.body)) throw new MessageRefused(code)
        throw new Error(`SQS answered ${answer.status} ${code}`)
      } catch (error) {
        throw error instanceof MessageRefused ? error : unavailable(error)
      }
    },
  }
}
