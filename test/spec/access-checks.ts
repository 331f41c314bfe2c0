import { expect } from 'vitest'
import { call } from '../support/client.ts'
import type { AdverseChecks, Checks } from './checks.ts'
import { expectRefusal, noCredentials, wrongRole } from './refusals.ts'
import { methodDenied, newUser, postUser, SECURED } from './user-administration.ts'

const NO_ROLE = '/api/auth/info'
const ADMIN = '/api/admin/secure'
const USER = '/api/user/secure'

export const accessChecks = {
  '3.2/1': async ({ own }) => {
    for (const path of [NO_ROLE, ADMIN, USER, '/api/webhooks/events/payment/evt', ...own]) {
      expectRefusal(await call(path), noCredentials(path))
    }
    for (const { path, request } of SECURED) expectRefusal(await call(path, request), noCredentials(path))
  },

  '3.2/2': async ({ admins, users, guests }) => {
    for (const { kind, username, call } of [...admins, ...users, ...guests]) {
      const { status, json } = await call(NO_ROLE)
      expect([status, json.username], kind).toEqual([200, username])
    }
  },

  '3.2/3': async ({ users, guests }) => {
    for (const { kind, roles, call } of [...users, ...guests]) {
      expectRefusal(await call(ADMIN), wrongRole(ADMIN, 'ROLE_ADMIN', roles), kind)
    }
    for (const { kind, call } of guests) expectRefusal(await call(USER), wrongRole(USER, 'ROLE_USER', []), kind)
  },

  '3.2/4': async ({ admins, users }) => {
    for (const { kind, call } of admins) expect((await call(ADMIN)).status, kind).toBe(200)
    for (const { kind, call } of [...admins, ...users]) expect((await call(USER)).status, kind).toBe(200)
  },

  '3.2/6': async ({ admins }) => {
    for (const { kind, call } of admins) {
      const { status, json } = await call('/api/users', postUser(newUser()))
      expect(status, kind).toBe(201)
      expect((await call(`/api/users/${json.id}`, { method: 'DELETE' })).status, kind).toBe(204)
    }
  },
} satisfies Checks<'3.2'>

/** Where the admins may only read. */
export const adverseAccessChecks = {
  '3.2/5': async ({ admins }) => {
    for (const admin of admins) {
      for (const secured of SECURED) {
        const answer = await admin.call(secured.path, secured.request)
        expectRefusal(answer, methodDenied(secured, admin, 'permission'), admin.kind)
      }
      expect((await admin.call(ADMIN)).status, admin.kind).toBe(200)
    }
  },
} satisfies AdverseChecks
