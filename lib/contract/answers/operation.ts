import * as z from 'zod'
import { REFUSAL_REASONS } from '../requests/refusals.ts'
import { localDateTime, natural, nextCursor } from './shapes.ts'

const webhookSource = z
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

export const sourceList = z.strictObject({ sources: z.array(webhookSource) }).meta({ id: 'WebhookSourceList' })

export const sourceSetup = z
  .strictObject({
    state: z
      .enum(['closed', 'open', 'received', 'conflict'])
      .describe('`conflict`: a second call had another token, so that nothing is kept.'),
    token: z.string().nullable().describe('What the sender handed over; a secret.'),
    at: localDateTime.nullable().describe('When it came.'),
    from: z.string().nullable().describe('The address of the caller.'),
  })
  .meta({ id: 'SourceSetup' })

export const setupOpened = z.strictObject({ until: localDateTime }).meta({ id: 'SetupOpened' })

const explanation = z
  .strictObject({
    reason: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .describe('One of a fixed set of words, as `npx gatehouse explain` prints it.'),
    sentence: z.string(),
  })
  .meta({ id: 'Explanation', description: 'The reason why a call is refused; it contains no secret and no signature.' })

const webhookRefusal = z
  .strictObject({
    id: z.string(),
    source: z.string().describe('A name with a secret; `(unknown)` for all others.'),
    reason: z.enum(REFUSAL_REASONS),
    verdict: explanation,
    count: z.int().min(1),
    atLeast: z
      .boolean()
      .describe('Whether `count` is a lower bound, always, except in a local run that no other machine reaches.'),
    firstAt: localDateTime,
    lastAt: localDateTime,
    address: z.string().describe('Of the client.'),
    size: z.int().min(0).describe('Of the body, in bytes.'),
    headers: z.record(z.string(), z.string().nullable()).describe('Null for every value that is not stored.'),
  })
  .meta({ id: 'WebhookRefusal', description: 'Equal refusals: their number, and the last call without its body.' })

export const refusalPage = z
  .strictObject({ refusals: z.array(webhookRefusal).max(200), nextCursor })
  .meta({ id: 'WebhookRefusalList' })

const partState = z.enum(['ok', 'slow', 'silent', 'misconfigured', 'down']).meta({
  id: 'PartStatus',
  description:
    'A part that takes more than one second is slow. One that gives no answer in three is silent. One that fails is down. One that answers, but cannot be used with the settings, is misconfigured.',
})

export const partStates = z
  .strictObject({
    state: partState,
    version: z.string().optional().describe('Of Gatehouse: on the local stage, and for administrators.'),
    parts: z.array(
      z
        .strictObject({
          name: z.string().describe('`database`, `queue`, `directory`, `channels`, or the name of a login provider.'),
          state: partState,
          ageSeconds: natural.describe('How long ago the part was looked at.'),
          address: z.string().optional().describe('On the local stage, and for administrators.'),
          waiting: natural.optional().describe('Messages in the queue, approximately: for the same callers.'),
          problems: z.array(z.string()).optional().describe('The settings that do not fit: for the same callers.'),
        })
        .meta({ id: 'Part' }),
    ),
  })
  .meta({ id: 'Status' })

export const sentMessage = z.strictObject({ messageId: z.uuid() }).meta({ id: 'SentMessage' })
