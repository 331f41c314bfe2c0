import * as z from 'zod'
import { CATALOG, type ErrorCode, type ErrorDetails } from '../errors.ts'
import { CHECK_NAMES, CHECK_RESULTS, MAXIMUM_FIELDS, STEP_NAMES } from './login-steps.ts'
import type { EndpointName } from './routes.ts'

/** `YYYY-MM-DDTHH:mm:ss.SSSZ` */
const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ id: 'Instant', format: 'date-time', description: 'A point in time, in UTC and milliseconds.' })

/** `YYYY-MM-DDTHH:mm:ss.SSS`, UTC without saying so. */
const localDateTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
  .meta({ id: 'LocalDateTime', description: 'A point in time in UTC, which it does not say.' })

const role = z.enum(['ROLE_ADMIN', 'ROLE_USER']).meta({ id: 'Role', description: 'An admin may what a user may.' })
const authorities = z.array(z.strictObject({ authority: role }))
const authType = z
  .enum(['JWT', 'JDBC', 'LDAP', 'OAuth2', 'FORM'])
  .meta({ id: 'AuthType', description: 'How the caller proved who they are.' })
const greeting = z
  .strictObject({ message: z.string(), user: z.string(), authorities, authType })
  .meta({ id: 'Greeting' })
const status = z.enum(['RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED', 'RETRY']).meta({
  id: 'EventStatus',
  description: 'FAILED events are run again at `nextRetryAt`, as long as there is one; RETRY ones run again now.',
})

const webhookAccepted = z
  .strictObject({ success: z.literal(true), message: z.string(), timestamp: localDateTime })
  .meta({ id: 'WebhookAccepted' })

const record = z
  .strictObject({
    id: z
      .string()
      .regex(/^\d{1,19}$/)
      .describe('A 64-bit number as text; ids grow with the time of receipt.'),
    source: z.string().describe('The provider.'),
    eventId: z.string().min(1).max(256).describe("The provider's own id, which makes a second delivery a duplicate."),
    eventType: z.string(),
    status,
    receivedAt: localDateTime,
    processedAt: localDateTime.nullable(),
    attempts: z.int().min(0).describe('Runs after the first.'),
    nextRetryAt: localDateTime.nullable(),
    dead: z.boolean().describe('Whether it failed and nothing runs it again but an order.'),
    errorMessage: z.string().nullable(),
    outcome: z.string().nullable().describe('What became of it, where that is not plain: `superseded` by a newer one.'),
  })
  .meta({ id: 'WebhookEvent', description: 'A webhook event without its payload.' })

const eventDetail = record
  .extend({
    payload: z.string().describe('The body, byte for byte, or the first 256 KiB of it.'),
    payloadEncoding: z.enum(['utf8', 'base64']),
    payloadTruncated: z.boolean().describe('Whether there is more of it, at `/payload`.'),
    headers: z.record(z.string(), z.string()).describe('Those that are kept; never a signature or a credential.'),
    history: z.array(
      z.strictObject({
        at: localDateTime,
        status,
        by: z.string().regex(/^(intake|worker|retry|operator [\s\S]+)$/),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'WebhookEventDetail', description: 'A webhook event with its payload and what happened to it.' })

const count = z.int().min(0)
const replay = z
  .strictObject({
    replayId: z.string().min(1),
    state: z.enum(['RUNNING', 'DONE']),
    matched: count,
    done: count.describe('Those that were run, failures included.'),
    failed: count,
  })
  .meta({ id: 'Replay', description: 'How far it is to have matching events run again.' })

const userList = z
  .strictObject({
    message: z.string(),
    user: z.string(),
    users: z.array(z.strictObject({ username: z.string(), roles: z.array(role), enabled: z.boolean() })).max(1000),
  })
  .meta({ id: 'UserList' })

const oauth2Profile = z
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

const loginSteps = z
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

/** What is answered with a status, by media type; none for an answer without a body. */
export type Content = Readonly<Partial<Record<MediaType, z.ZodType>>>
type MediaType =
  | '*/*'
  | 'application/json'
  | 'image/svg+xml'
  | 'text/css'
  | 'text/html'
  | 'text/javascript'
  | 'text/plain'

const json = <T extends z.ZodType>(schema: T) => ({ 'application/json': schema })
const text = <T extends z.ZodType>(schema: T) => ({ 'text/plain': schema })
const page = { 'text/html': z.string().regex(/^<!doctype html>/) }
const bytes = z.string().min(1)
const nothing = {}

/** What each endpoint answers when all is well; strict, so that a field nobody declared is found. */
export const RESPONSES = {
  publicHello: { 200: json(z.strictObject({ message: z.string() }).meta({ id: 'PublicGreeting' })) },
  authLogin: {
    200: json(
      z
        .strictObject({
          token: z
            .string()
            .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
            .describe('A JWT, signed with HS512.'),
          username: z.string(),
          role,
          message: z.string(),
          usage: z.literal('Add header: Authorization: Bearer <ACCESS_TOKEN>'),
        })
        .meta({ id: 'Login' }),
    ),
  },
  authInfo: {
    200: json(
      z
        .strictObject({
          authenticated: z.literal(true),
          username: z.string(),
          authorities,
          authType,
          principalType: z.enum(['JwtUser', 'DatabaseUser', 'DirectoryUser', 'OidcUser', 'OAuth2User']),
          tokenExpiresAt: instant.optional(),
          sessionExpiresAt: instant.optional(),
        })
        .meta({ id: 'AuthInfo' }),
    ),
  },
  adminSecure: { 200: json(greeting) },
  userSecure: { 200: json(greeting) },
  jdbcUsers: { 200: json(userList) },
  ldapUsers: { 200: json(userList) },
  oauth2Profile: {
    200: json(
      z.union([
        oauth2Profile,
        z
          .strictObject({ message: z.string(), user: z.string(), authorities })
          .meta({ id: 'SessionProfile', description: 'Of somebody who logged in with the form.' }),
      ]),
    ),
  },
  oauth2Steps: { 200: json(loginSteps) },
  usersCreate: { 201: json(z.strictObject({ id: z.uuid(), username: z.string(), role }).meta({ id: 'User' })) },
  usersDelete: { 204: nothing },
  home: { 200: page, 302: nothing },
  loginPage: { 200: page, 302: nothing },
  loginForm: { 302: nothing },
  logout: { 302: nothing },
  oauth2Start: { 302: nothing },
  oauth2Callback: { 302: nothing },
  consolePage: { 200: page, 302: nothing },
  consoleAsset: {
    200: { 'text/css': bytes, 'text/javascript': bytes, 'text/plain': bytes, 'image/svg+xml': bytes },
  },
  webhookEvents: {
    200: json(
      z
        .strictObject({ events: z.array(record).max(200), nextCursor: z.string().nullable() })
        .meta({ id: 'WebhookEventList' }),
    ),
  },
  webhookEvent: { 200: json(eventDetail) },
  webhookEventPayload: { 200: { '*/*': z.unknown().describe('The body, byte for byte.') } },
  webhookEventRetry: { 202: json(record) },
  replaysCreate: { 200: json(z.strictObject({ matched: count }).meta({ id: 'ReplayCount' })), 202: json(replay) },
  replay: { 200: json(replay) },
  webhookPayment: { 200: json(webhookAccepted) },
  webhookOrderStatus: { 200: json(webhookAccepted) },
  webhookStripe: { 200: text(z.literal('Webhook received')) },
  webhookGithub: { 200: text(z.literal('Webhook received')) },
  webhookProvider: {
    200: {
      ...json(
        z.union([
          webhookAccepted,
          z.strictObject({ challenge: z.string() }).meta({ id: 'SlackHandshake' }),
          z.strictObject({ plainToken: z.string(), encryptedToken: z.hex() }).meta({ id: 'ZoomHandshake' }),
          z.strictObject({ type: z.literal(1) }).meta({ id: 'DiscordHandshake' }),
        ]),
      ),
      ...text(z.enum(['Webhook received', '[accepted]'])),
    },
    204: nothing,
  },
  webhookChallenge: { 200: text(z.string()) },
  openapi: {
    200: json(
      z
        .strictObject({
          openapi: z.literal('3.1.1'),
          info: z.record(z.string(), z.unknown()),
          servers: z.array(z.unknown()),
          tags: z.array(z.unknown()),
          paths: z.record(z.string(), z.unknown()),
          components: z.record(z.string(), z.unknown()),
        })
        .meta({ id: 'ApiDescription' }),
    ),
    304: nothing,
  },
  docs: { 200: page },
  docsAsset: { 200: { 'text/css': bytes, 'text/javascript': bytes, 'text/plain': bytes }, 304: nothing },
} as const satisfies Record<EndpointName, Readonly<Record<number, Content>>>

/** What an admin is told, over STOMP, of a change of a webhook event. */
export const WEBHOOK_CHANGE = record
  .pick({ id: true, source: true, eventId: true, eventType: true, status: true, receivedAt: true })
  .extend({ cursor: z.string().describe('What a subscription resumes after.') })
  .meta({ id: 'WebhookChange', description: 'A webhook event that has come into a status.' })

const roleDetails = { requiredRole: role, userRoles: z.array(role), resource: z.string(), action: z.string() }

/** The codes whose details go into a header, or into the text. */
type Unshown = 'TOO_MANY_REQUESTS' | 'RATE_LIMIT_EXCEEDED' | 'PROCESSING_FAILED'

/** Spec part 7: what `details` holds; nothing for a code that is not here. */
const DETAILS = {
  VALIDATION_FAILED: z.strictObject({
    validationErrors: z.array(
      z.strictObject({ field: z.string(), message: z.string(), rejectedValue: z.string().nullable() }),
    ),
  }),
  TOKEN_INVALID: z.strictObject({ tokenError: z.string(), tokenStatus: z.string() }),
  TOKEN_EXPIRED: z.strictObject({
    tokenError: z.string(),
    tokenStatus: z.literal('EXPIRED'),
    expiredAt: instant,
    currentTime: instant,
  }),
  BAD_CREDENTIALS: z.strictObject({
    authType: z.enum(['Basic Authentication', 'Login']),
    reason: z.literal('Bad credentials'),
  }),
  ROLE_REQUIRED: z.strictObject(roleDetails),
  DESTINATION_CLOSED: z.strictObject({ resource: z.string(), action: z.string() }),
  METHOD_ACCESS_DENIED: z.strictObject({
    methodSecurity: z.literal(true),
    expression: z.string(),
    evaluationResult: z.literal(false),
    failedCondition: z.string(),
    ...roleDetails,
  }),
  METHOD_NOT_SUPPORTED: z.strictObject({ requestMethod: z.string(), supportedMethods: z.array(z.string()) }),
} as const satisfies { readonly [C in Exclude<keyof ErrorDetails, Unshown>]: z.ZodType<ErrorDetails[C]> }

/** Spec 2.3: the body of an error of the API. */
export function apiError(code: ErrorCode) {
  const { status, error, message } = CATALOG[code]
  const details: z.ZodType | undefined = (DETAILS as Partial<Record<ErrorCode, z.ZodType>>)[code]
  return z.strictObject({
    timestamp: instant,
    status: z.literal(status),
    error: z.literal(error),
    message: z.literal(message),
    ...(details && { details }),
    path: z.string().startsWith('/').describe('As it was sent, without the query.'),
  })
}

/** Spec 2.4: the body of an error of a webhook that answers in JSON. */
export const WEBHOOK_ERROR = z
  .strictObject({ success: z.literal(false), message: z.string().min(1), timestamp: localDateTime })
  .meta({ id: 'WebhookRefused' })
