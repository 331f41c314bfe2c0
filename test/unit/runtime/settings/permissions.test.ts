import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { permissionSettings } from '../../../../lib/runtime/settings/permissions.ts'

const load = (text = '') => loadConfig(permissionSettings, [], { ROLE_PERMISSIONS: text }).ROLE_PERMISSIONS

describe('ROLE_PERMISSIONS', () => {
  it('gives ROLE_ADMIN everything on User and ROLE_USER only READ by default', () => {
    expect(load()).toEqual({
      ROLE_ADMIN: { User: ['CREATE', 'READ', 'UPDATE', 'DELETE'] },
      ROLE_USER: { User: ['READ'] },
    })
  })

  it.each([
    ['{"ROLE_ADMIN":{"User":["CREATE"]}}', { ROLE_ADMIN: { User: ['CREATE'] } }],
    ['{"ROLE_USER":{"User":[],"Event":["READ"]}}', { ROLE_USER: { User: [], Event: ['READ'] } }],
  ])('replaces the table: %s', (text, table) => {
    expect(load(text)).toEqual(table)
  })

  it.each([
    ['no JSON', 's3cret'],
    ['a list', '[]'],
    ['an unknown role', '{"ADMIN":{"User":["CREATE"]}}'],
    ['an unknown permission', '{"ROLE_ADMIN":{"User":["FLY"]}}'],
    ['a permission without a list', '{"ROLE_ADMIN":{"User":"CREATE"}}'],
    ['a prototype as a role', '{"__proto__":{"User":["CREATE"]}}'],
  ])('stops the start without quoting it: %s', (_, text) => {
    expect(() => load(text)).toThrow(/^Wrong settings:\n {2}ROLE_PERMISSIONS: must be a JSON object/)
    expect(() => load(text)).not.toThrow(/s3cret/)
  })
})
