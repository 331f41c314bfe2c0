import * as z from 'zod/mini'
import { closed, flag, inOrder, localTime, oneOf, page, several, shortText } from './fields.ts'

/** What the audit trail records; docs/reference/users.md says when. */
export const TRAIL_ACTIONS = [
  'login.accepted',
  'login.refused',
  'logins.ended',
  'password.changed',
  'user.created',
  'user.changed',
  'user.deleted',
  'sessions.ended',
  'passkey.created',
  'passkey.deleted',
  'key.created',
  'key.deleted',
  'payload.read',
  'payload.deleted',
  'event.retried',
  'event.released',
  'delivery.retried',
  'replay.started',
  'setup.opened',
  'setup.read',
  'destination.enabled',
  'destination.disabled',
  'destination.tested',
  'message.sent',
] as const

export type TrailAction = (typeof TRAIL_ACTIONS)[number]

/** How an action ended: `done` stands there if and only if it happened. */
export const TRAIL_OUTCOMES = ['done', 'refused', 'failed'] as const

export type TrailOutcome = (typeof TRAIL_OUTCOMES)[number]

/** The kinds of things that actions are done to. */
export const TRAIL_TARGETS = [
  'user',
  'session',
  'key',
  'passkey',
  'event',
  'delivery',
  'replay',
  'source',
  'destination',
  'message',
] as const

export type TrailTargetType = (typeof TRAIL_TARGETS)[number]

export const trailQuery = closed(
  {
    actor: z.optional(shortText()),
    target: z.optional(shortText()),
    action: several(oneOf(TRAIL_ACTIONS)),
    outcome: several(oneOf(TRAIL_OUTCOMES)),
    q: z.optional(shortText()),
    from: z.optional(localTime()),
    to: z.optional(localTime()),
    reads: z._default(flag(), false),
    ...page(),
  },
  inOrder(),
)
