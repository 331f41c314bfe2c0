import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { unavailable } from '../../errors.ts'
import type { Broadcast, ServiceMessage } from '../../messages/send.ts'
import { type AsciiJson, asciiJson } from '../../runtime/message-text.ts'
import type { PublishMessage } from '../aws/sns.ts'
import { message, ORIGIN } from './publication.ts'

/** The limit of a body: in Base64 and with its headers, it fits into a message of SNS. */
export const MAXIMUM_BODY_BYTES = 180_000

/** A message of the service itself. No instance numbers it: a repeat has the same id. */
export const broadcast: z.ZodMiniType<ServiceMessage> = z.pipe(
  z.object({ messageId: z.string(), message }),
  z.transform(({ messageId, message }) => ({ id: messageId, ...message })),
)

/** Sends messages to all instances. A failed one is tried once more, because receivers drop repeats. */
export function snsBroadcast(publishMessage: PublishMessage, topicArn: string): Broadcast {
  return {
    async publish(message) {
      const text = textOf(message)
      const send = () => publishMessage(topicArn, text, { [ORIGIN]: message.id })
      await send()
        .catch(send)
        .catch((cause) => {
          throw unavailable(cause)
        })
    },
  }
}

function textOf({ id: messageId, body, ...message }: ServiceMessage): AsciiJson {
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return asciiJson({ messageId, message: { ...message, base64 } })
}
