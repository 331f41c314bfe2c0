import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { keptAnswer } from '../../deliver/answer.ts'
import {
  type Carrier,
  type DeliveryAnswer,
  deliveryEnvelope,
  ENVELOPE_BYTES,
  failureOf,
} from '../../deliver/carrier.ts'
import { type BusTarget, type Destination, readArn } from '../../deliver/destination.ts'
import { inAscii, isNeverTaken } from '../../runtime/message-text.ts'
import { type AwsResponse, accessFromEnvironment, awsClient, errorCodeIn } from '../aws/client.ts'

/** Of an entry's time (Amazon EventBridge User Guide, "Calculating PutEvents event entry size"). */
const TIME_BYTES = 14

/** API Reference, PutEventsRequestEntry: a detail type has at most 128 characters. */
const MAXIMUM_TYPE = 128

export interface BusRoute extends Pick<Destination, 'timeout'> {
  readonly target: BusTarget
}

/** Puts envelopes on a bus, as the detail of an event of `gatehouse.<source>`. */
export function eventBridgeCarrier({ target: { busArn }, timeout }: BusRoute): Carrier {
  const { region } = readArn(busArn)
  const bridge = awsClient('events', '1.1', () => accessFromEnvironment('events', 'EVENTBRIDGE', region))
  return {
    async carry(parcel) {
      const { source, eventType, receivedAt } = parcel.event
      const head = { Source: `gatehouse.${source}`, DetailType: detailTypeOf(eventType) }
      const limit = ENVELOPE_BYTES.eventbridge - TIME_BYTES - head.Source.length - head.DetailType.length
      const entry = {
        ...head,
        EventBusName: busArn,
        Time: receivedAt.getTime() / 1000,
        Detail: deliveryEnvelope(parcel, limit),
      }
      try {
        const answer = await bridge.ask('AWSEvents.PutEvents', { Entries: [entry] }, timeout)
        return { ...answerOf(answer), received: keptAnswer({ ...answer, body: Buffer.from(answer.body) }) }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

/** In ASCII; a rule for a type beyond it looks at `detail.type`. An escape is never cut. */
function detailTypeOf(eventType: string): string {
  const whole = inAscii(eventType)
  return whole.length <= MAXIMUM_TYPE ? whole : whole.slice(0, MAXIMUM_TYPE).replace(/\\(?:u[\da-f]{0,3})?$/, '')
}

const put = z.object({
  FailedEntryCount: z.optional(z.number()),
  Entries: z.array(z.object({ ErrorCode: z.optional(z.string()), ErrorMessage: z.optional(z.string()) })),
})

/** An entry may be refused in an answer that is 200. */
function answerOf(answer: AwsResponse): DeliveryAnswer {
  if (answer.status !== 200) return failed(errorCodeIn(answer), answer.body)
  const {
    FailedEntryCount: count = 0,
    Entries: [entry],
  } = z.parse(put, JSON.parse(answer.body))
  if (count === 0 && entry && !entry.ErrorCode) return { kind: 'delivered', answer: 'HTTP 200' }
  return failed(/^\w{1,60}$/.exec(entry?.ErrorCode ?? '')?.[0] ?? 'the entry was refused', entry?.ErrorMessage ?? '')
}

function failed(code: string, said: string): DeliveryAnswer {
  return { kind: 'failed', answer: code, ...(isNeverTaken(code, said) && { isRefused: true }) }
}
