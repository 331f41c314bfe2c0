import * as z from 'zod'
import { instant, role } from './schemas.ts'

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
