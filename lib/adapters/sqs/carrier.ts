import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { keptAnswer } from '../../deliver/answer.ts'
import { type Carrier, deliveryEnvelope, ENVELOPE_BYTES, failureOf } from '../../deliver/carrier.ts'
import type { DeliveredEvent } from '../../deliver/delivery.ts'
import { type Destination, doubtOf, isFifo, readArn, type SqsTarget } from '../../deliver/destination.ts'
import { messageId } from '../../deliver/signing.ts'
import { ServiceError } from '../../errors.ts'
import { isNeverTaken } from '../../runtime/message-text.ts'
import { pick } from '../../webhooks/find.ts'
import { parseJson } from '../../webhooks/json.ts'
import { errorCodeIn } from '../aws/client.ts'
import { SEND_MESSAGE, type SqsMessage, sqsService } from './service.ts'

export interface SqsRoute extends Pick<Destination, 'timeout'> {
  readonly target: SqsTarget
}

/** Sends envelopes to a queue; to a FIFO queue in the order of their groups, and always with the same deduplication id. */
export function sqsCarrier({ target, timeout }: SqsRoute): Carrier {
  const { region, account, resource: name } = readArn(target.queueArn)
  const sqs = sqsService(region)
  return {
    async carry(parcel) {
      const { group, isUngrouped } = groupOf(parcel.event, target.group)
      const message: SqsMessage = {
        QueueUrl: new URL(`/${account}/${name}`, sqs.endpoint()).href,
        MessageBody: deliveryEnvelope(parcel, ENVELOPE_BYTES.sqs),
        ...(isFifo(target) && { MessageGroupId: group, MessageDeduplicationId: messageId(parcel.event) }),
      }
      try {
        const answer = await sqs.ask(SEND_MESSAGE, message, timeout)
        const received = keptAnswer({ ...answer, body: Buffer.from(answer.body) })
        if (answer.status === 200) {
          const reason = doubtOf(target, parcel.sentAt, parcel.at)
          const missing = isFifo(target) && isUngrouped && { isUngrouped }
          return { kind: 'delivered', answer: 'HTTP 200', received, ...missing, ...(reason && { reason }) }
        }
        const code = errorCodeIn(answer)
        return { kind: 'failed', answer: code, received, ...(isNeverTaken(code, answer.body) && { isRefused: true }) }
      } catch (error) {
        return failureOf(error)
      }
    },
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
