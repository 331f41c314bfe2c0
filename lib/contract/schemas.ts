import * as z from 'zod'
import { CHECK_NAMES, CHECK_RESULTS, MAXIMUM_FIELDS, STEP_NAMES } from './login-steps.ts'
import { REFUSAL_REASONS } from './requests/refusal-query.ts'

/** `YYYY-MM-DDTHH:mm:ss.SSSZ` */
export const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ id: 'Instant', format: 'date-time', description: 'A point in time, in UTC and milliseconds.' })

/** `YYYY-MM-DDTHH:mm:ss.SSS`, implicitly UTC. */
export const localDateTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
  .meta({ id: 'LocalDateTime', description: 'A point in time in UTC, which it does not say.' })

export const role = z
  .enum(['ROLE_ADMIN', 'ROLE_USER'])
  .meta({ id: 'Role', description: 'An admin may what a user may.' })
export const authorities = z.array(z.strictObject({ authority: role }))
export const authType = z
  .enum(['JWT', 'JDBC', 'LDAP', 'OAuth2', 'FORM'])
  .meta({ id: 'AuthType', description: 'How the caller proved who they are.' })
export const greeting = z
  .strictObject({ message: z.string(), user: z.string(), authorities, authType })
  .meta({ id: 'Greeting' })
export const natural = z.int().min(0)
const status = z.enum(['RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED', 'RETRY']).meta({
  id: 'EventStatus',
  description: 'FAILED events are run again at `nextRetryAt`, as long as there is one; RETRY ones run again now.',
})

export const webhookAccepted = z
  .strictObject({ success: z.literal(true), message: z.string(), timestamp: localDateTime })
  .meta({ id: 'WebhookAccepted' })

const proof = z
  .strictObject({
    level: z
      .enum(['full', 'body', 'fields', 'checksum', 'token', 'none'])
      .describe('What the signature covers: body, id and time; the body; some fields; a checksum; nothing.'),
    key: z.string().nullable().describe('The label of the secret that fitted.'),
    signedAt: instant.nullable().describe('The signed time.'),
    stale: z.literal(true).optional().describe('It came later than signed calls may, and was not known yet.'),
  })
  .meta({ id: 'Proof', description: 'How well it is proven who sent an event, and what.' })

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
    attempts: z.int().min(0).describe('Runs after the first.'),
    nextRetryAt: localDateTime.nullable(),
    dead: z.boolean().describe('Whether it failed and nothing runs it again but an order.'),
    errorMessage: z.string().nullable(),
    outcome: z.string().nullable().describe('What became of it, where that is not plain: `superseded` by a newer one.'),
    proof,
    possibleDuplicateOf: z.string().nullable().describe('The `eventId` of the last event with the same content.'),
    idConflict: z
      .strictObject({ count: z.int().min(1), lastAt: localDateTime })
      .nullable()
      .describe('Another content came under the same id: how often at least, and when last.'),
    itemCount: z.int().min(0).nullable().describe('How many events are in it, for a batch.'),
  })
  .meta({ id: 'WebhookEvent', description: 'A webhook event without its payload.' })

export const eventDetail = record
  .extend({
    payload: z
      .string()
      .nullable()
      .describe('The body, byte for byte, or the first 256 KiB of it; null once it is deleted.'),
    payloadEncoding: z.enum(['utf8', 'base64']),
    payloadTruncated: z.boolean().describe('Whether there is more of it, at `/payload`.'),
    payloadBytes: natural.nullable().describe('The size of all of it; null once it is deleted.'),
    payloadDeletedAt: localDateTime.nullable().describe('When its payload and headers were deleted.'),
    headers: z.record(z.string(), z.string()).describe('Those that are kept; never a signature or a credential.'),
    history: z.array(
      z.strictObject({
        at: localDateTime,
        status,
        by: z.string().regex(/^(intake(: .+)?|worker|retry|operator [\s\S]+)$/),
        error: z.string().nullable(),
      }),
    ),
    items: z
      .array(z.strictObject({ id: z.string(), eventId: z.string().nullable(), eventType: z.string() }))
      .max(1000)
      .describe('The events in a batch, with the ids that its sender gave them; the first thousand.'),
  })
  .meta({ id: 'WebhookEventDetail', description: 'A webhook event with its payload and what happened to it.' })

const countsByStatus = z.partialRecord(status, z.int().min(1))

export const eventCounts = z
  .strictObject({
    from: localDateTime,
    to: localDateTime,
    complete: z.boolean().describe('False: there were too many to look at all, and the counts are lower bounds.'),
    bucketSeconds: z.int().min(1),
    totals: z.strictObject({ status: countsByStatus, source: z.record(z.string(), z.int().min(1)) }),
    buckets: z
      .array(z.strictObject({ at: localDateTime.describe('When it begins.'), status: countsByStatus }))
      .max(120)
      .describe('Without a gap from `from` to `to`, the empty ones included; none is before 1970.'),
  })
  .meta({ id: 'WebhookCounts', description: 'How many events there are; what there is none of is absent.' })

export const webhookSource = z
  .strictObject({
    source: z.string(),
    configured: z.boolean().describe('Whether gatehouse.config.ts names it.'),
    hasSecret: z.boolean().describe('Without one, calls of it are refused.'),
    lastHeardAt: localDateTime
      .nullable()
      .describe('When a call was last taken, to ten minutes; null for none in the last 35 days.'),
  })
  .meta({ id: 'WebhookSource' })

export const explanation = z
  .strictObject({
    reason: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .describe('A word of a bounded set, as `npm run explain` prints it.'),
    sentence: z.string(),
  })
  .meta({ id: 'Explanation', description: 'Why a call is refused; it holds no secret and no signature.' })

export const webhookRefusal = z
  .strictObject({
    id: z.string(),
    source: z.string().describe('A name with a secret; `(unknown)` for all others.'),
    reason: z.enum(REFUSAL_REASONS),
    verdict: explanation,
    count: z.int().min(1),
    firstAt: localDateTime,
    lastAt: localDateTime,
    address: z.string().describe('Of the client.'),
    size: z.int().min(0).describe('Of the body, in bytes.'),
    headers: z.record(z.string(), z.string().nullable()).describe('Null for every value that is not kept.'),
  })
  .meta({ id: 'WebhookRefusal', description: 'Equal refusals: how many, and of the last call all but its body.' })

export const replay = z
  .strictObject({
    replayId: z.string().min(1),
    state: z.enum(['RUNNING', 'DONE']),
    matched: natural,
    done: natural.describe('Those that ended PROCESSED, or whose delivery was ordered.'),
    failed: natural.describe('Those that failed again, or could not be run or delivered.'),
  })
  .meta({ id: 'Replay', description: 'How far it is to have matching events run again.' })

export const orderedReplay = replay
  .extend({
    destination: z.string().nullable().describe('Where the events are delivered; null if they are run again here.'),
    filter: z
      .strictObject({
        status: z.literal('FAILED').optional(),
        source: z.string().optional(),
        type: z.string().optional(),
        from: localDateTime.optional(),
        to: localDateTime.optional(),
        q: z.string().optional(),
        dead: z.boolean().optional(),
      })
      .describe('As it was ordered.'),
    reason: z.string().nullable(),
    ratePerSecond: z.int().min(1).max(1000),
    user: z.string().describe('Who ordered it.'),
    acceptedAt: localDateTime.describe('Events received later do not take part.'),
  })
  .meta({ id: 'OrderedReplay', description: 'What was ordered, by whom, and how far it is.' })

export const userListSchema = z
  .strictObject({
    message: z.string(),
    user: z.string(),
    users: z.array(z.strictObject({ username: z.string(), roles: z.array(role), enabled: z.boolean() })).max(1000),
  })
  .meta({ id: 'UserList' })

export const oauth2Profile = z
  .strictObject({
    message: z.string(),
    user: z.string(),
    provider: z.string(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    picture: z.string().nullable(),
    attributes: z.record(z.string(), z.unknown()).describe('What the provider told and we show; never a token.'),
  })
  .meta({ id: 'OAuth2Profile' })

const loginFields = z
  .array(z.strictObject({ name: z.string(), value: z.string() }))
  .max(MAXIMUM_FIELDS)
  .describe('The first characters of a secret and …; of what is not to be shown only the ….')

export const loginSteps = z
  .strictObject({
    provider: z.string(),
    at: instant,
    steps: z.array(
      z.strictObject({
        name: z.enum(STEP_NAMES),
        method: z.enum(['GET', 'POST']),
        url: z.string().describe('Without its query.'),
        sent: loginFields,
        answer: z.strictObject({ status: z.int(), fields: loginFields }).optional(),
        checks: z.array(
          z.strictObject({
            name: z.enum(CHECK_NAMES),
            result: z.enum(CHECK_RESULTS),
            value: z.string().optional().describe('What was compared; a secret is cut.'),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'LoginSteps', description: 'How a login with an identity provider went.' })

/** The content of an answer by media type; empty for an answer without a body. */
export type Content = Readonly<Partial<Record<MediaType, z.ZodType>>>
export type MediaType =
  | '*/*'
  | 'application/json'
  | 'image/svg+xml'
  | 'text/css'
  | 'text/html'
  | 'text/javascript'
  | 'text/plain'

export const jsonContent = <T extends z.ZodType>(schema: T) => ({ 'application/json': schema })
export const textContent = <T extends z.ZodType>(schema: T) => ({ 'text/plain': schema })
export const htmlContent = { 'text/html': z.string().regex(/^<!doctype html>/) }
export const bytes = z.string().min(1)

/** The message about a changed webhook event that admins receive over STOMP. */
export const WEBHOOK_CHANGE = record
  .pick({ id: true, source: true, eventId: true, eventType: true, status: true, receivedAt: true })
  .extend({
    // Not in hints of older versions, nor in what the store tells.
    proof: proof.optional(),
    cursor: z.string().describe('What a subscription resumes after.'),
  })
  .meta({ id: 'WebhookChange', description: 'A webhook event that has come into a status.' })

/** What the server tells a session of itself, and people of what they ordered, over STOMP. */
export const NOTICE = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('token-expiring'), expiresAt: instant }),
    record.pick({ source: true, eventId: true }).extend({
      type: z.literal('retry-finished'),
      status: z.enum(['PROCESSED', 'FAILED']).describe('FAILED: no attempt is left.'),
      at: localDateTime,
    }),
    replay.extend({ type: z.literal('replay-finished'), state: z.literal('DONE'), at: localDateTime }),
  ])
  .meta({ id: 'Notice', description: 'The session ends soon, or what its user ordered is finished.' })
