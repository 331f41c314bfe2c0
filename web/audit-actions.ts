import type { trailPage } from '../lib/contract/answers/trail.ts'
import type { Response } from './ask.ts'

export type Entry = Response<typeof trailPage>['entries'][number]

export const ACTIONS: Readonly<Record<Entry['action'], string>> = {
  'login.accepted': 'Logged in',
  'login.refused': 'Login refused',
  'logins.ended': 'Logged out everywhere',
  'password.changed': 'Changed the password',
  'user.created': 'Created user',
  'user.changed': 'Changed user',
  'user.deleted': 'Deleted user',
  'sessions.ended': 'Ended sessions',
  'passkey.created': 'Added passkey',
  'passkey.deleted': 'Removed passkey',
  'key.created': 'Created API key',
  'key.deleted': 'Deleted API key',
  'payload.read': 'Read payload',
  'payload.deleted': 'Deleted payload',
  'event.retried': 'Retried event',
  'event.released': 'Released event',
  'delivery.retried': 'Retried delivery',
  'replay.started': 'Started replay',
  'setup.opened': 'Opened the set-up of',
  'setup.read': 'Read the set-up of',
  'destination.enabled': 'Enabled destination',
  'destination.disabled': 'Disabled destination',
  'destination.tested': 'Tested destination',
  'message.sent': 'Sent message',
}

/** What was done, in words: "Disabled bob". */
export function deedOf({ action, target, change }: Pick<Entry, 'action' | 'target' | 'change'>): string {
  const name = target?.name ?? target?.id ?? ''
  const { enabled, role, password } = (action === 'user.changed' && change) || {}
  const changed = [
    enabled !== undefined && `${enabled ? 'Enabled' : 'Disabled'} ${name}`,
    role !== undefined && `Changed the role of ${name} to ${role}`,
    password !== undefined && `Set the password of ${name}`,
  ]
  return changed.filter(Boolean).join('; ') || `${ACTIONS[action]} ${name}`.trim()
}
