import * as z from 'zod'
import type { EndpointName, ErrorFormat } from './routes.ts'

/** `YYYY-MM-DDTHH:mm:ss.SSSZ` */
const instant = z.iso.datetime({ precision: 3 })
/** `YYYY-MM-DDTHH:mm:ss.SSS`, UTC without saying so. */
const localDateTime = z.iso.datetime({ precision: 3, local: true }).regex(/[^Z]$/)

const role = z.enum(['ROLE_ADMIN', 'ROLE_USER'])
const authorities = z.array(z.strictObject({ authority: role }))
const authType = z.enum(['JWT', 'JDBC', 'LDAP', 'OAuth2', 'FORM'])
const greeting = z.strictObject({ message: z.string(), user: z.string(), authorities, authType })
const status = z.enum(['RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED', 'RETRY'])
const webhookResponse = z.strictObject({ success: z.boolean(), message: z.string(), timestamp: localDateTime })

const record = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  source: z.string(),
  eventId: z.string().min(1).max(256),
  eventType: z.string(),
  status,
  receivedAt: localDateTime,
  processedAt: localDateTime.nullable(),
  attempts: z.int().min(0),
  nextRetryAt: localDateTime.nullable(),
  dead: z.boolean(),
  errorMessage: z.string().nullable(),
  outcome: z.string().nullable(),
})

const count = z.int().min(0)
const replay = z.strictObject({
  replayId: z.string().min(1),
  state: z.enum(['RUNNING', 'DONE']),
  matched: count,
  done: count,
  failed: count,
})

const userList = z.strictObject({
  message: z.string(),
  user: z.string(),
  users: z.array(z.strictObject({ username: z.string(), roles: z.array(role), enabled: z.boolean() })).max(1000),
})
const nothing = z.literal('')
const page = z.string().startsWith('<!doctype html>')

/** The body of each endpoint's 2xx or 3xx; strict, so that a field nobody declared is found. */
export const RESPONSES = {
  publicHello: z.strictObject({ message: z.string() }),
  authLogin: z.strictObject({
    token: z.jwt({ alg: 'HS512' }),
    username: z.string(),
    role,
    message: z.string(),
    usage: z.literal('Add header: Authorization: Bearer <ACCESS_TOKEN>'),
  }),
  authInfo: z.strictObject({
    authenticated: z.literal(true),
    username: z.string(),
    authorities,
    authType,
    principalType: z.enum(['JwtUser', 'DatabaseUser', 'DirectoryUser', 'OidcUser', 'OAuth2User']),
    tokenExpiresAt: instant.optional(),
    sessionExpiresAt: instant.optional(),
  }),
  adminSecure: greeting,
  userSecure: greeting,
  jdbcUsers: userList,
  ldapUsers: userList,
  oauth2Profile: z.union([
    z.strictObject({
      message: z.string(),
      user: z.string(),
      provider: z.string(),
      email: z.string().nullable(),
      name: z.string().nullable(),
      picture: z.string().nullable(),
      attributes: z.record(z.string(), z.unknown()),
    }),
    z.strictObject({ message: z.string(), user: z.string(), authorities }),
  ]),
  usersCreate: z.strictObject({ id: z.uuid(), username: z.string(), role }),
  usersDelete: nothing,
  home: page,
  loginPage: page,
  loginForm: nothing,
  logout: nothing,
  oauth2Start: nothing,
  oauth2Callback: nothing,
  consolePage: page,
  consoleAsset: z.string().min(1),
  webhookEvents: z.strictObject({ events: z.array(record).max(200), nextCursor: z.string().nullable() }),
  webhookEvent: record.extend({
    payload: z.string(),
    payloadEncoding: z.enum(['utf8', 'base64']),
    headers: z.record(z.string(), z.string()),
    history: z.array(
      z.strictObject({
        at: localDateTime,
        status,
        by: z.string().regex(/^(intake|worker|retry|operator .+)$/s),
        error: z.string().nullable(),
      }),
    ),
  }),
  webhookEventRetry: record,
  replaysCreate: z.union([replay, z.strictObject({ matched: count })]),
  replay,
  webhookPayment: webhookResponse.extend({ success: z.literal(true) }),
  webhookOrderStatus: webhookResponse.extend({ success: z.literal(true) }),
  webhookStripe: z.literal('Webhook received'),
  webhookGithub: z.literal('Webhook received'),
  webhookProvider: z.union([
    z.enum(['Webhook received', '[accepted]']),
    webhookResponse.extend({ success: z.literal(true) }),
    z.strictObject({ challenge: z.string() }),
    z.strictObject({ plainToken: z.string(), encryptedToken: z.hex() }),
    z.strictObject({ type: z.literal(1) }),
    nothing,
  ]),
  webhookChallenge: z.string(),
} as const satisfies Record<EndpointName, z.ZodType>

const validationErrors = z.array(
  z.strictObject({ field: z.string(), message: z.string(), rejectedValue: z.string().nullable() }),
)
const tokenError = z.string()

/** Spec part 7: what `details` may hold. */
const details = z.union([
  z.strictObject({ validationErrors }),
  z.strictObject({ tokenError, tokenStatus: z.string() }),
  z.strictObject({ tokenError, tokenStatus: z.literal('EXPIRED'), expiredAt: instant, currentTime: instant }),
  z.strictObject({ authType: z.enum(['Basic Authentication', 'Login']), reason: z.literal('Bad credentials') }),
  z.strictObject({ requiredRole: role, userRoles: z.array(role), resource: z.string(), action: z.string() }),
  z.strictObject({
    methodSecurity: z.literal(true),
    expression: z.string(),
    evaluationResult: z.literal(false),
    failedCondition: z.string(),
    requiredRole: role,
    userRoles: z.array(role),
    resource: z.string(),
    action: z.string(),
  }),
  z.strictObject({ requestMethod: z.string(), supportedMethods: z.array(z.string()) }),
])

/** The body of everything else, by the format that the endpoint declares. */
export const ERRORS = {
  api: z.strictObject({
    timestamp: instant,
    status: z.int().min(400).max(599),
    error: z.string().min(1),
    message: z.string().min(1),
    details: details.optional(),
    path: z.string().startsWith('/'),
  }),
  webhook: webhookResponse.extend({ success: z.literal(false) }),
  text: z.string().min(1),
} as const satisfies Record<ErrorFormat, z.ZodType>
