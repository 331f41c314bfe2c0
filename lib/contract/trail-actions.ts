/** What the audit trail records; docs/operations.md says when. */
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
  'delivery.retried',
  'replay.started',
  'destination.enabled',
  'destination.disabled',
  'destination.tested',
  'message.sent',
] as const

export type TrailAction = (typeof TRAIL_ACTIONS)[number]
