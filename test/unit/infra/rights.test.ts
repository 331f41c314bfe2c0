import { describe, expect, it } from 'vitest'
import { keyReaders } from '../../../infra/description/rights.ts'
import { GRANTS } from '../../../infra/iam/grants.ts'
import { roleOf, statementsOf } from '../../../infra/iam/role.ts'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import type { Grants } from '../../../lib/contract/grants.ts'
import type { Route } from '../../../lib/contract/route.ts'
import { isAllowed } from '../../support/allowed.ts'

/** @param more grants that the function does not have */
const roleOfFunction = (name: string, more: readonly Grants[] = []) =>
  roleOf({ logGroup: 'Log', secrets: 'gatehouse/prod', grants: [...(GRANTS[name] ?? []), ...more] })

const routes: Readonly<Record<string, Route>> = ROUTES

/** Functions whose roles allow a write of an account that touches some attributes. */
function writers(action: string, ...attributes: readonly string[]): readonly string[] {
  const call = { action: `dynamodb:${action}`, resource: 'UsersTable', attributes: ['uid', ...attributes] }
  return Object.keys(GRANTS).filter((name) => isAllowed(roleOfFunction(name), call))
}

const pathsOf = (names: readonly string[]) => names.map((name) => routes[name]?.path ?? name)

/** Administrators’ endpoints of users. */
const USERS = /^\/api\/users(?:\/|$)/

describe('K11 a table of accounts', () => {
  it.each(['roles', 'enabled', 'name', 'look', 'createdAt'])(
    'only functions that administer users change %s',
    (attribute) => {
      expect(pathsOf(writers('UpdateItem', attribute)).filter((path) => !USERS.test(path))).toEqual([])
    },
  )

  it.each(['PutItem', 'DeleteItem'])('only functions that administer users may %s a row', (action) => {
    const paths = pathsOf(writers(action, 'roles'))
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => !USERS.test(path))).toEqual([])
  })

  it('only they, the owner and a logout everywhere end logins', () => {
    const paths = pathsOf(writers('UpdateItem', 'tokensValidAfter'))
    expect(paths).toContain('/logout')
    expect(paths.filter((path) => !(USERS.test(path) || /^\/(?:logout$|api\/account\/)/.test(path)))).toEqual([])
  })

  it('a function that accepts passwords renews their hashes, and nothing else', () => {
    expect(writers('UpdateItem', 'passwordHash')).toContain('authLogin')
    expect(writers('UpdateItem', 'passwordHash', 'roles')).not.toContain('authLogin')
    expect(writers('UpdateItem', 'passwordHash')).not.toContain('logout')
    expect(writers('UpdateItem', 'passwordHash')).not.toContain('home')
  })
})

describe('a right that is limited to attributes', () => {
  it('names the key, and returns no other attribute', () => {
    const grants = [{ UsersTable: ['UpdateItem:b', 'GetItem'] }, { UsersTable: ['UpdateItem:a'] }]
    const Resource = [{ 'Fn::GetAtt': ['UsersTable', 'Arn'] }]
    expect(statementsOf(grants)).toEqual([
      { Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource },
      {
        Effect: 'Allow',
        Action: ['dynamodb:UpdateItem'],
        Resource,
        Condition: {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['a', 'b', 'uid'] },
          StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_NEW', 'UPDATED_OLD'] },
        },
      },
    ])
  })

  it('is refused for a table with an unknown key', () => {
    expect(() => statementsOf([{ OrdersTable: ['UpdateItem:a'] }])).toThrow('OrdersTable')
  })
})

describe('K11 the key that signs tokens is read', () => {
  const taking = Object.entries(routes).filter(
    ([, { access, credentials = 'any' }]) =>
      !['public', 'signature'].includes(String(access)) && ['any', 'any-or-key'].includes(credentials),
  )

  it('by the function that creates tokens and those that accept them, and by no others', () => {
    const makingOrTaking = ['authLogin', 'logout', ...taking.map(([name]) => name)]
    expect([...keyReaders()].sort()).toEqual(makingOrTaking.sort())
  })
})

describe('a function that adds to the audit trail', () => {
  const adding = Object.keys(GRANTS).filter((name) => can(name, 'PutItem'))

  function can(name: string, action: string, more: readonly Grants[] = []): boolean {
    return isAllowed(roleOfFunction(name, more), { action: `dynamodb:${action}`, resource: 'AuditTable' })
  }

  it.each(['UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete'])(
    'may not use %s there, even if another statement allows it',
    (action) => {
      expect(adding).toContain('usersDelete')
      expect(adding.filter((name) => can(name, action, [{ AuditTable: [action] }]))).toEqual([])
    },
  )

  it('is each function whose route is recorded', () => {
    const recorded = Object.entries(routes).filter(([, { audit }]) => audit !== undefined)
    expect(recorded.map(([name]) => name).filter((name) => !adding.includes(name))).toEqual([])
  })
})
