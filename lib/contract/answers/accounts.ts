import * as z from 'zod'
import { instant, nextCursor } from './shapes.ts'

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

export const userListSchema = z
  .strictObject({
    message: z.string(),
    user: z.string(),
    users: z
      .array(
        z.strictObject({ username: z.string(), roles: z.array(role), enabled: z.boolean() }).meta({ id: 'ListedUser' }),
      )
      .max(1000),
    truncated: z.literal(true).optional().describe('There are more users than the list, or the directory, shows.'),
  })
  .meta({ id: 'UserList' })

/** A user of the database as admins see it. */
export const userRecord = z
  .strictObject({
    id: z.uuid(),
    username: z.string(),
    role: role.nullable().describe('The highest; `null` for a user without any.'),
    enabled: z.boolean().describe('Whether the user may log in.'),
    createdAt: instant,
    lastLoginAt: instant.nullable().describe('To about a minute; `null` before the first login.'),
  })
  .meta({ id: 'ShownUser', description: 'A user of the database, without the password.' })

export const userPage = z.strictObject({ users: z.array(userRecord).max(200), nextCursor }).meta({ id: 'UserPage' })

export const createdUser = z.strictObject({ id: z.uuid(), username: z.string(), role }).meta({ id: 'User' })

/** The sessions of one account. */
export const sessionList = z
  .strictObject({
    sessions: z
      .array(
        z
          .strictObject({
            id: z
              .string()
              .regex(/^[\da-f]{64}$/)
              .describe('The id to end the session. It opens nothing.'),
            createdAt: instant,
            lastSeenAt: instant.describe('To about a minute.'),
            expiresAt: instant.describe('The expiry without further use.'),
            authType: z.enum(['FORM', 'OAuth2', 'PASSKEY']),
            current: z.boolean().describe('Whether it is the session of the call.'),
          })
          .meta({ id: 'Session' }),
      )
      .max(1000),
  })
  .meta({ id: 'SessionList' })

/** What opens one session or one stream at the container. */
export const liveTicket = z
  .strictObject({
    ticket: z
      .string()
      .regex(/^[\w-]{43}$/)
      .describe('For `Authorization: Ticket`, once.'),
    expiresAt: instant.describe('It opens nothing from then on; open connections continue.'),
  })
  .meta({ id: 'LiveTicket' })

/** An API key as admins see it. */
const apiKey = z
  .strictObject({
    id: z.string().regex(/^[0-9a-z]{13}$/),
    name: z.string(),
    sources: z.array(z.string()).nullable().describe('The sources whose events it reads; all if `null`.'),
    createdAt: instant,
    createdBy: z.string().describe('The admin who made it.'),
    expiresAt: instant.describe('The key is refused from then on.'),
    lastUsedAt: instant.nullable().describe('To about five minutes.'),
  })
  .meta({ id: 'ApiKey', description: 'A key that lets a machine read events, without its secret.' })

export const keyPage = z.strictObject({ keys: z.array(apiKey).max(200), nextCursor }).meta({ id: 'ApiKeyList' })

/** A key as its maker sees it, once. */
export const newApiKey = apiKey
  .extend({
    key: z
      .string()
      .regex(/^ghk_[0-9a-z]{13}_[\w-]{43}$/)
      .describe('The key itself. Nothing shows it again.'),
  })
  .meta({ id: 'NewApiKey', description: 'A key that lets a machine read events, with its secret.' })
