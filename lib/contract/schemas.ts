import * as z from 'zod'
import { CHECK_NAMES, CHECK_RESULTS, MAXIMUM_FIELDS, STEP_NAMES } from './login-steps.ts'
import { DELIVERY_STATES } from './requests/new-replay.ts'
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
  .meta({ id: 'LocalDateTime', description: 'A point in time in UTC, without a zone.' })

export const role = z
  .enum(['ROLE_ADMIN', 'ROLE_USER'])
  .meta({ id: 'Role', description: 'Admins have all permissions of users.' })
export const authorities = z.array(z.strictObject({ authority: role }).meta({ id: 'Authority' }))
export const authType = z
  .enum(['JWT', 'JDBC', 'LDAP', 'OAuth2', 'FORM', 'PASSKEY'])
  .meta({ id: 'AuthType', description: 'The authentication method of the caller.' })
export const greeting = z
  .strictObject({ message: z.string(), user: z.string(), authorities, authType })
  .meta({ id: 'Greeting' })
export const natural = z.int().min(0)
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
    idConflict: z
      .strictObject({ count: z.int().min(1), lastAt: localDateTime })
      .nullable()
      .describe('Other content arrived with the same id: a lower bound of how often, and when last.'),
    itemCount: z.int().min(0).nullable().describe('The number of events in a batch.'),
  })
  .meta({ id: 'WebhookEvent', description: 'A webhook event without its payload.' })

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
          by: z.string().regex(/^(intake(: .+)?|worker|retry|operator [\s\S]+)$/),
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

export const eventCounts = z
  .strictObject({
    from: localDateTime,
    to: localDateTime,
    complete: z
      .boolean()
      .describe('False: there were too many events to read them all, so the counts are lower bounds.'),
    bucketSeconds: z.int().min(1),
    totals: z.strictObject({ status: countsByStatus, source: z.record(z.string(), z.int().min(1)) }),
    buckets: z
      .array(
        z
          .strictObject({ at: localDateTime.describe('When it begins.'), status: countsByStatus })
          .meta({ id: 'CountBucket' }),
      )
      .max(120)
      .describe('Without a gap from `from` to `to`, the empty ones included; none is before 1970.'),
  })
  .meta({ id: 'WebhookCounts', description: 'The number of events; counts of zero are absent.' })

export const webhookSource = z
  .strictObject({
    source: z.string(),
    configured: z.boolean().describe('Whether gatehouse.config.ts names it.'),
    hasSecret: z.boolean().describe('Without one, calls of it are refused.'),
    lastReceivedAt: localDateTime
      .nullable()
      .describe('The time of the last accepted call, accurate to ten minutes; null for none in the last 400 days.'),
    expectEvery: z
      .string()
      .nullable()
      .describe('How often at least one call is expected, such as `2h`; null if nothing is expected.'),
    silent: z.boolean().describe('Whether no call was accepted for longer than `expectEvery`.'),
    refusedOnly: z
      .boolean()
      .describe('Whether calls came, and all were refused: within `expectEvery`, without it within an hour.'),
  })
  .meta({ id: 'WebhookSource' })

const explanation = z
  .strictObject({
    reason: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .describe('One of a fixed set of words, as `npm run explain` prints it.'),
    sentence: z.string(),
  })
  .meta({ id: 'Explanation', description: 'The reason why a call is refused; it contains no secret and no signature.' })

export const webhookRefusal = z
  .strictObject({
    id: z.string(),
    source: z.string().describe('A name with a secret; `(unknown)` for all others.'),
    reason: z.enum(REFUSAL_REASONS),
    verdict: explanation,
    count: z.int().min(1),
    atLeast: z
      .boolean()
      .describe('Whether `count` is a lower bound, as everywhere but on a laptop that nobody else reaches.'),
    firstAt: localDateTime,
    lastAt: localDateTime,
    address: z.string().describe('Of the client.'),
    size: z.int().min(0).describe('Of the body, in bytes.'),
    headers: z.record(z.string(), z.string().nullable()).describe('Null for every value that is not stored.'),
  })
  .meta({ id: 'WebhookRefusal', description: 'Equal refusals: their number, and the last call without its body.' })

export const replay = z
  .strictObject({
    replayId: z.string().min(1),
    state: z.enum(['RUNNING', 'DONE']),
    matched: natural,
    done: natural.describe('Events of this replay that are PROCESSED, or DELIVERED, by now.'),
    failed: natural.describe('Those that failed again, or whose delivery is DEAD.'),
  })
  .meta({ id: 'Replay', description: 'The progress of a replay.' })

export const orderedReplay = replay
  .extend({
    destination: z.string().nullable().describe('The destination of the deliveries; null for a retry of the events.'),
    filter: z
      .strictObject({
        status: z.literal('FAILED').optional(),
        source: z.string().optional(),
        type: z.string().optional(),
        from: localDateTime.optional(),
        to: localDateTime.optional(),
        q: z.string().optional(),
        dead: z.boolean().optional(),
        delivery: z.array(z.enum(DELIVERY_STATES)).optional(),
      })
      .describe('As it was ordered.'),
    reason: z.string().nullable(),
    ratePerSecond: z.int().min(1).max(1000),
    user: z.string().describe('Who ordered it.'),
    acceptedAt: localDateTime.describe('Events received later are not included.'),
  })
  .meta({ id: 'OrderedReplay', description: 'The order of a replay, its user, and its progress.' })

export const userListSchema = z
  .strictObject({
    message: z.string(),
    user: z.string(),
    users: z
      .array(
        z.strictObject({ username: z.string(), roles: z.array(role), enabled: z.boolean() }).meta({ id: 'ListedUser' }),
      )
      .max(1000),
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
    attributes: z.record(z.string(), z.unknown()).describe('Attributes from the provider; never a token.'),
  })
  .meta({ id: 'OAuth2Profile' })

const loginFields = z
  .array(z.strictObject({ name: z.string(), value: z.string() }).meta({ id: 'LoginField' }))
  .max(MAXIMUM_FIELDS)
  .describe('The first characters of a secret and …; only … for hidden values.')

export const loginSteps = z
  .strictObject({
    provider: z.string(),
    at: instant,
    steps: z.array(
      z
        .strictObject({
          name: z.enum(STEP_NAMES),
          method: z.enum(['GET', 'POST']),
          url: z.string().describe('Without its query.'),
          sent: loginFields,
          answer: z.strictObject({ status: z.int(), fields: loginFields }).meta({ id: 'LoginAnswer' }).optional(),
          checks: z.array(
            z
              .strictObject({
                name: z.enum(CHECK_NAMES),
                result: z.enum(CHECK_RESULTS),
                value: z.string().optional().describe('The compared value; a secret is shortened.'),
              })
              .meta({ id: 'LoginCheck' }),
          ),
        })
        .meta({ id: 'LoginStep' }),
    ),
  })
  .meta({ id: 'LoginSteps', description: 'The steps of a login with an identity provider.' })

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
    // Missing in changes that are read from the store.
    proof: proof.optional(),
    cursor: z.string().describe('The position from which a subscription resumes.'),
  })
  .meta({ id: 'WebhookChange', description: 'A webhook event that has reached a status.' })

/** A message over STOMP: about the session itself, or about work that its user ordered. */
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
  .meta({ id: 'Notice', description: 'The session ends soon, or an order of its user has finished.' })
