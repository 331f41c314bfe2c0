import { describe, expect, it } from 'vitest'
import { permitsOf } from '../../../lib/auth/permissions.ts'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { permissionSettings } from '../../../lib/runtime/settings/permissions.ts'
import type { Role } from '../../../lib/users/role.ts'

const permits = permitsOf(loadConfig(permissionSettings, [], {}).ROLE_PERMISSIONS)

describe('role → permissions', () => {
  it.each<[readonly Role[], string, string, boolean]>([
    [['ROLE_ADMIN'], 'CREATE', 'User', true],
    [['ROLE_ADMIN'], 'DELETE', 'User', true],
    [['ROLE_USER'], 'READ', 'User', true],
    [['ROLE_USER'], 'CREATE', 'User', false],
    [['ROLE_USER'], 'DELETE', 'User', false],
    [['ROLE_USER', 'ROLE_ADMIN'], 'DELETE', 'User', true],
    [[], 'READ', 'User', false],
    [['ROLE_ADMIN'], 'DELETE', 'Event', false],
  ])('by default %j may %s %s: %s', (held, name, on, answer) => {
    expect(permits(held, { name, on })).toBe(answer)
  })

  it('an empty table grants nothing', () => {
    expect(permitsOf({})(['ROLE_ADMIN', 'ROLE_USER'], { name: 'DELETE', on: 'User' })).toBe(false)
  })

  it('the table decides, not the role', () => {
    const turned = permitsOf({ ROLE_USER: { User: ['DELETE'] }, ROLE_ADMIN: {} })
    expect(turned(['ROLE_USER'], { name: 'DELETE', on: 'User' })).toBe(true)
    expect(turned(['ROLE_ADMIN'], { name: 'DELETE', on: 'User' })).toBe(false)
  })
})
