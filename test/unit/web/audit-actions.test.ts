import { expect, it } from 'vitest'
import { deedOf } from '../../../web/audit-actions.ts'

type Deed = Parameters<typeof deedOf>[0]

const BOB = { type: 'user', id: 'id-1', name: 'bob' } as const

it.each<[string, Deed]>([
  ['Disabled bob', { action: 'user.changed', target: BOB, change: { enabled: false } }],
  ['Enabled bob', { action: 'user.changed', target: BOB, change: { enabled: true } }],
  ['Changed the role of bob to ROLE_ADMIN', { action: 'user.changed', target: BOB, change: { role: 'ROLE_ADMIN' } }],
  [
    'Disabled bob; Changed the role of bob to ROLE_USER',
    { action: 'user.changed', target: BOB, change: { role: 'ROLE_USER', enabled: false } },
  ],
  ['Set the password of bob', { action: 'user.changed', target: BOB, change: { password: 'changed' } }],
  ['Changed user bob', { action: 'user.changed', target: BOB, change: null }],
  ['Created user bob', { action: 'user.created', target: BOB, change: { role: 'ROLE_USER' } }],
  ['Deleted user id-9', { action: 'user.deleted', target: { ...BOB, id: 'id-9', name: null }, change: null }],
  ['Logged in', { action: 'login.accepted', target: null, change: null }],
])('an action in words: %s', (words, deed) => {
  expect(deedOf(deed)).toBe(words)
})
