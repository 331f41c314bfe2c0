import type { Response } from '../ask.ts'

export type Line = Response<'auditTrail'>['lines'][number]

export const ACTIONS: Readonly<Record<Line['action'], string>> = {
  'login.accepted': 'Logged in',
  'login.refused': 'Login refused',
  'logins.ended': 'Logged out everywhere',
  'password.changed': 'Changed the password',
  'user.created': 'Created a user',
  'user.changed': 'Changed a user',
  'user.deleted': 'Deleted a user',
  'sessions.ended': 'Ended sessions',
  'passkey.created': 'Added a passkey',
  'passkey.deleted': 'Removed a passkey',
  'key.created': 'Made an API key',
  'key.deleted': 'Deleted an API key',
  'payload.read': 'Read a payload',
  'payload.deleted': 'Deleted a payload',
  'event.retried': 'Retried an event',
  'delivery.retried': 'Retried a delivery',
  'replay.started': 'Started a replay',
  'destination.enabled': 'Enabled a destination',
  'destination.disabled': 'Disabled a destination',
  'destination.tested': 'Tested a destination',
  'message.sent': 'Sent a message',
}

/** What a line is about, in one text. */
export function targetOf({ target }: Line): string {
  return Object.values(target).join(' ')
}
