import { expect } from 'vitest'
import { call } from '../support/client.ts'
import type { Checks } from './checks.ts'
import { expectRefusal, noCredentials } from './refusals.ts'
import { methodDenied, newUser, postUser, SECURED } from './user-administration.ts'

const [CREATE, REMOVE] = SECURED
const USERS = CREATE.path
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

export const userChecks = {
  '4.1/users-create': async ({ admins, users, guests }) => {
    expectRefusal(await call(USERS, postUser(newUser())), noCredentials(USERS))
    for (const { kind, call } of admins) {
      const user = newUser()
      expect((await call(USERS, postUser(user))).status, kind).toBe(201)
      expect((await call(USERS, postUser(user))).status, 'the name is taken').toBe(409)
    }
    for (const caller of [...users, ...guests]) {
      const answer = await caller.call(USERS, CREATE.request)
      expectRefusal(answer, methodDenied(CREATE, caller, 'role'), caller.kind)
    }
  },

  '4.1/users-delete': async ({ admin, admins, users, guests }) => {
    for (const { kind, call } of admins) {
      const { json } = await admin.call(USERS, postUser(newUser()))
      const removal = () => call(`${USERS}/${json.id}`, { method: 'DELETE' })
      expect((await removal()).status, kind).toBe(204)
      expect((await removal()).status, 'nobody is there any more').toBe(404)
    }
    for (const caller of [...users, ...guests]) {
      const answer = await caller.call(REMOVE.path, REMOVE.request)
      expectRefusal(answer, methodDenied(REMOVE, caller, 'role'), caller.kind)
    }
  },

  '4.1/users-bodies': async ({ admin }) => {
    const user = newUser()
    const { json, headers } = await admin.call(USERS, postUser(user))
    expect(json).toEqual({ id: expect.stringMatching(UUID), username: user.username, role: 'ROLE_USER' })
    expect(headers['location']).toBe(`${USERS}/${json.id}`)
    const removed = await admin.call(`${USERS}/${json.id}`, { method: 'DELETE' })
    expect([removed.status, removed.text]).toEqual([204, ''])
    for (const [body, field] of [
      [{ ...user, username: '' }, 'username'],
      [{ ...user, username: 'x'.repeat(65) }, 'username'],
      [{ ...user, password: '1234567' }, 'password'],
      [{ ...user, password: 'p'.repeat(1025) }, 'password'],
      [{ ...user, role: 'ROOT' }, 'role'],
    ] as const) {
      const { status, json } = await admin.call(USERS, postUser(body))
      expect([status, json.details.validationErrors[0].field]).toEqual([400, field])
    }
  },
} satisfies Checks<'4.1'>
