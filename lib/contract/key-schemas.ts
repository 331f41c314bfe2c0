import * as z from 'zod'
import { instant } from './schemas.ts'

/** An API key as admins see it. */
export const apiKey = z
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

/** A key as its maker sees it, once. */
export const newApiKey = apiKey
  .extend({
    key: z
      .string()
      .regex(/^ghk_[0-9a-z]{13}_[\w-]{43}$/)
      .describe('The key itself. Nothing shows it again.'),
  })
  .meta({ id: 'NewApiKey', description: 'A key that lets a machine read events, with its secret.' })
