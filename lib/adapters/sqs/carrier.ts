import { createHash } from 'node:crypto'
import { type Carrier, deliveryEnvelope, failureOf, type Parcel } from '../../deliver/carrier.ts'
import type { DeliveredEvent } from '../../deliver/delivery.ts'
import { type Destination, readArn, type SqsTarget } from '../../deliver/destination.ts'
import { messageId } from '../../deliver/http-headers.ts'
import { ServiceError } from '../../errors.ts'
import { isNeverTaken } from '../../runtime/message-text.ts'
import { pick } from '../../webhooks/find.ts'
import { parseJson } from '../../webhooks/json.ts'
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

/**
 * The message group of an event in a FIFO queue: the text, number or truth value at a path of its JSON body. An event
 * without one is in the group of its source.
 * @param path the members on the way to it, joined with dots
 * @returns the group, and whether the path leads to no value
 */
export function groupOf({ source, payload }: Pick<DeliveredEvent, 'source' | 'payload'>, path: string | undefined) {
  const found = path === undefined ? undefined : pick(jsonIn(payload), path.split('.'))
  return { group: asQueueId(found || source), isUngrouped: path !== undefined && !found }
}

/** SQS API Reference, SendMessage: ids of groups and of duplicates are 1 to 128 letters, digits and punctuation. */
const QUEUE_ID = /^[!-~]{1,128}$/

/** The text itself if SQS takes it as an id, else its hash in hexadecimal digits. */
export function asQueueId(text: string): string {
  return QUEUE_ID.test(text) ? text : createHash('sha256').update(text).digest('hex')
}

function jsonIn(payload: DeliveredEvent['payload']): unknown {
  try {
    return parseJson(payload)
  } catch (error) {
    if (error instanceof ServiceError && error.is('VALIDATION_FAILED')) return undefined
    throw error
  }
}
