import * as z from 'zod'
import { instant, localDateTime, natural, nextCursor } from './shapes.ts'

const status = z.enum(['RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED', 'RETRY']).meta({
  id: 'EventStatus',
  description: 'A FAILED event is retried at `nextRetryAt`, if there is one. A RETRY event is being retried.',
})

export const webhookAccepted = z
  .strictObject({ success: z.literal(true), message: z.string(), timestamp: localDateTime })
  .meta({ id: 'WebhookAccepted' })

const proof = z
  .strictObject({
    level: z
      .enum(['full', 'body', 'fields', 'checksum', 'token', 'none'])
      .describe('The signed parts: body, id and time; the body; some fields; a checksum; nothing.'),
    key: z.string().nullable().describe('The label of the matching secret.'),
    signedAt: instant.nullable().describe('The signed time.'),
    typeSigned: z.boolean().describe('Whether the type of the event is under the signature.'),
    idSigned: z.boolean().describe('Whether its id is, or what stands for it.'),
    stale: z.literal(true).optional().describe('It came after the time limit of signed calls, and was new.'),
  })
  .meta({ id: 'Proof', description: 'The level of proof of the sender and the content.' })

export const record = z
  .strictObject({
    id: z
      .string()
      .regex(/^\d{1,19}$/)
      .describe('A 64-bit number as text; ids grow with the time of receipt.'),
    source: z.string().describe('The provider.'),
    eventId: z
      .string()
      .min(1)
      .max(273)
      .describe(
        "The provider's own id; `h:…` and `n:…` for events without one, `…~…` for another content under a known id.",
      ),
    eventType: z.string(),
    status,
    receivedAt: localDateTime,
    processedAt: localDateTime.nullable(),
    attempts: z.int().min(0).describe('Attempts after the first one.'),
    nextRetryAt: localDateTime.nullable(),
    dead: z.boolean().describe('Whether it failed and only an operator can retry it.'),
    errorMessage: z.string().nullable(),
    outcome: z.string().nullable().describe('The result, if it is special: `superseded` by a newer event.'),
    proof,
    possibleDuplicateOf: z.string().nullable().describe('The `eventId` of the last event with the same content.'),
    typeConflict: z.boolean().describe('That content came under another type before, and the type is not signed.'),
    held: z
      .boolean()
      .describe('Nothing acts on it until an operator releases it: it may be the repetition of a stranger.'),
    summary: z.string().nullable().describe('What it is about, from its payload and gone with it.'),
    idConflict: z
      .strictObject({ count: z.int().min(1), lastAt: localDateTime })
      .nullable()
      .describe('Other content arrived with the same id: a lower bound of how often, and when last.'),
    itemCount: z.int().min(0).nullable().describe('The number of events in a batch.'),
  })
  .meta({ id: 'WebhookEvent', description: 'A webhook event without its payload.' })

export const eventPage = z
  .strictObject({ events: z.array(record).max(200), nextCursor })
  .meta({ id: 'WebhookEventList' })

export const eventDetail = record
  .extend({
    payload: z
      .string()
      .nullable()
      .describe('The body, byte for byte, or the first 256 KiB of it; null once it is deleted.'),
    payloadEncoding: z.enum(['utf8', 'base64']),
    payloadTruncated: z.boolean().describe('Whether `/payload` has more of it.'),
    payloadBytes: natural.nullable().describe('The size of all of it; null once it is deleted.'),
    payloadDeletedAt: localDateTime.nullable().describe('When its payload and headers were deleted.'),
    headers: z.record(z.string(), z.string()).describe('The stored headers; never a signature or a credential.'),
    history: z.array(
      z
        .strictObject({
          at: localDateTime,
          status,
          by: z.string().regex(/^(intake|worker|retry|operator )/),
          error: z.string().nullable(),
        })
        .meta({ id: 'StatusChange' }),
    ),
    items: z
      .array(
        z
          .strictObject({ id: z.string(), eventId: z.string().nullable(), eventType: z.string() })
          .meta({ id: 'BatchItem' }),
      )
      .max(1000)
      .describe('The events in a batch, with the ids that its sender gave them; the first thousand.'),
  })
  .meta({ id: 'WebhookEventDetail', description: 'A webhook event with its payload and its history.' })

const countsByStatus = z.partialRecord(status, z.int().min(1))
const dead = z.int().min(1).optional().describe('The `FAILED` ones that only an operator can retry.')

export const eventCounts = z
  .strictObject({
    from: localDateTime,
    to: localDateTime,
    complete: z
      .boolean()
      .describe('False: there were too many events to read them all, so the counts are lower bounds.'),
    bucketSeconds: z.int().min(1),
    totals: z.strictObject({ status: countsByStatus, dead, source: z.record(z.string(), z.int().min(1)) }),
    buckets: z
      .array(
        z
          .strictObject({ at: localDateTime.describe('When it begins.'), status: countsByStatus, dead })
          .meta({ id: 'CountBucket' }),
      )
      .max(120)
      .describe('Without a gap from `from` to `to`, the empty ones included; none is before 1970.'),
  })
  .meta({ id: 'WebhookCounts', description: 'The number of events; counts of zero are absent.' })

/** The message about a changed webhook event that admins receive over STOMP. */
export const WEBHOOK_CHANGE = record
  .pick({ id: true, source: true, eventId: true, eventType: true, status: true, receivedAt: true })
  .extend({
    // Missing in changes that are read from the store.
    proof: proof.optional(),
    cursor: z.string().describe('The position from which a subscription resumes.'),
  })
  .meta({ id: 'WebhookChange', description: 'A webhook event that has reached a status.' })
