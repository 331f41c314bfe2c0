import type { Carrier, Parcel } from '../../deliver/carrier.ts'
import { type Destination, readArn, type SqsTarget } from '../../deliver/destination.ts'
import { deliveryEnvelope } from '../../deliver/envelope.ts'
import { failureOf } from '../../deliver/failure.ts'
import { asQueueId, groupOf } from '../../deliver/group.ts'
import { messageId } from '../../deliver/sign.ts'
import { isNeverTaken } from '../../runtime/message-text.ts'
import { errorCodeIn } from '../aws/client.ts'
import { SEND_MESSAGE, type SqsMessage, sqsService } from './service.ts'

/** Amazon SQS Developer Guide, "Message quotas": 1 MiB for body and attributes; there are none of those. */
const MAXIMUM_BYTES = 1_048_576

export interface SqsRoute extends Pick<Destination, 'timeout'> {
  readonly target: SqsTarget
}

/** Sends envelopes to a queue; to a FIFO queue each of them once, in the order of its group. */
export function sqsCarrier({ target, timeout }: SqsRoute): Carrier {
  const { region, account, resource: name } = readArn(target.queueArn)
  const sqs = sqsService(region)
  const isFifo = name.endsWith('.fifo')
  return {
    async carry(parcel) {
      const { group, isUngrouped } = groupOf(parcel.event, target.group)
      const message: SqsMessage = {
        QueueUrl: new URL(`/${account}/${name}`, sqs.endpoint()).href,
        MessageBody: deliveryEnvelope(parcel, MAXIMUM_BYTES),
        ...(isFifo && inGroup(parcel, group)),
      }
      try {
        const answer = await sqs.ask(SEND_MESSAGE, message, timeout)
        if (answer.status === 200)
          return { kind: 'delivered', answer: 'HTTP 200', ...(isFifo && isUngrouped && { isUngrouped }) }
        const code = errorCodeIn(answer)
        return { kind: 'failed', answer: code, ...(isNeverTaken(code, answer.body) && { isRefused: true }) }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

/** SQS drops what has the same deduplication id within five minutes: a try again is one, an order or a replay is not. */
function inGroup({ event, orderedAt }: Parcel, group: string) {
  const id = messageId(event)
  return {
    MessageGroupId: group,
    MessageDeduplicationId: asQueueId(orderedAt === undefined ? id : `${id}:${orderedAt.getTime()}`),
  }
}
