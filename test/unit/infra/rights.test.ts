import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { keyReaders } from '../../../infra/description/rights.ts'
import { GRANTS, grantsOf } from '../../../infra/iam/grants.ts'
import { roleOf, statementsOf } from '../../../infra/iam/role.ts'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import type { Grants } from '../../../lib/contract/grants.ts'
import type { Route } from '../../../lib/contract/route.ts'
import { containerRole } from '../../support/adapter-service.ts'
import { isAllowed, type Role } from '../../support/allowed.ts'
import { destinationsIn, EACH_KIND } from '../../support/destinations.ts'

/** @param more grants that the function does not have */
const roleOfFunction = (name: string, more: readonly Grants[] = []) =>
  roleOf({ logGroup: 'Log', secrets: 'gatehouse/prod', grants: [...(GRANTS[name] ?? []), ...more] })

interface Table {
  readonly Properties: { readonly KeySchema: readonly { readonly AttributeName: string }[] }
}

const tables: Readonly<Record<string, Table>> = parse(readFileSync('infra/resources/tables.yml', 'utf8')).Resources

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

  it('only functions that log in or set passwords write a hash, and those that log in nothing else', () => {
    const writing = ['PutItem', 'UpdateItem'].flatMap((action) => writers(action, 'passwordHash'))
    expect(writing.sort()).toEqual(['accountPassword', 'authLogin', 'loginForm', 'usersCreate', 'usersUpdate'])
    for (const name of ['authLogin', 'loginForm'])
      expect(writers('UpdateItem', 'passwordHash', 'roles')).not.toContain(name)
  })

  it('only functions that take passwords read a hash', () => {
    const taking = Object.keys(GRANTS).filter((name) => can(name, 'UpdateItem', ['lastLoginAt']))
    const reading = Object.keys(GRANTS).filter((name) => can(name, 'GetItem', ['passwordHash']))
    expect(reading.sort()).toEqual(taking.filter((name) => name !== 'loginPasskey').sort())
  })

  it('a deployed stage whose operators use no HTTP Basic reads hashes at logins and elsewhere of users alone', () => {
    const table = grantsOf([], false)
    const reading = Object.keys(table).filter((name) => can(name, 'GetItem', ['passwordHash'], table))
    const others = [
      'accountPassword',
      'accountSessions',
      'accountSessionsDelete',
      'adminSecure',
      'authInfo',
      'authLogin',
    ]
    expect(reading.sort()).toEqual([...others, 'jdbcUsers', 'loginForm', 'userSecure'])
  })

  function can(name: string, action: string, attributes: readonly string[], table = GRANTS): boolean {
    const role = roleOf({ logGroup: 'Log', secrets: 'gatehouse/prod', grants: table[name] ?? [] })
    return isAllowed(role, { action: `dynamodb:${action}`, resource: 'UsersTable', attributes })
  }
})

describe('K11 no row is a bare write', () => {
  const stage = grantsOf(destinationsIn(EACH_KIND))
  const CALLS = Object.keys(tables).flatMap((resource) =>
    ['BatchWriteItem', 'PutItem', 'UpdateItem'].map((action) => ({
      action: `dynamodb:${action}`,
      resource,
      attributes: ['an attribute that no row has'],
    })),
  )
  const bareWrites = (role: Role, end = '') =>
    CALLS.filter((call) => isAllowed(role, { ...call, resource: `${call.resource}${end}` })).map(
      ({ action, resource }) => `${action} on ${resource}`,
    )

  it.each(Object.keys(stage))('%s may write named attributes alone', (name) => {
    expect(bareWrites(roleOf({ logGroup: 'Log', secrets: 'gatehouse/prod', grants: stage[name] ?? [] }))).toEqual([])
  })

  it.each([
    ['retryScan', 'UpdateItem', 'EventsTable', 'source eventId sweepAt', 'payload'],
    ['webhookEventRetry', 'UpdateItem', 'EventsTable', 'source eventId status', 'proof'],
    ['webhookPayment', 'UpdateItem', 'EventsTable', 'source eventId idConflict', 'status'],
    ['webhookPayment', 'GetItem', 'EventsTable', 'source eventId sha256 idConflict', 'payload'],
    ['webhookPayment', 'UpdateItem', 'CountersTable', 'counter taken', 'nameKey'],
    ['deliver', 'PutItem', 'DeliveriesTable', 'event destination state', 'status'],
    ['deliver', 'UpdateItem', 'DeliveriesTable', 'event destination status', 'eventType'],
  ])('%s may %s on %s %s, and not %s', (name, action, resource, held, other) => {
    const role = roleOf({ logGroup: 'Log', secrets: 'gatehouse/prod', grants: stage[name] ?? [] })
    const may = (attributes: readonly string[]) =>
      isAllowed(role, { action: `dynamodb:${action}`, resource, attributes })
    const attributes = held.split(' ')
    expect([may(attributes), may([...attributes, other])]).toEqual([true, false])
  })

  it('the container may write named attributes alone', () => {
    expect(bareWrites(containerRole(), '.Arn')).toEqual([])
  })

  it.each(['PutItem', 'UpdateItem'])('a bare %s is found', (action) => {
    expect(bareWrites(roleOfFunction('home', [{ KeysTable: [action] }]))).toEqual([`dynamodb:${action} on KeysTable`])
  })
})

describe('a right that is limited to attributes', () => {
  it('names the key, and returns no other attribute', () => {
    const grants = [{ UsersTable: ['UpdateItem:b', 'GetItem'] }, { UsersTable: ['UpdateItem:a', 'UpdateItem:b'] }]
    const Resource = [{ 'Fn::GetAtt': ['UsersTable', 'Arn'] }]
    expect(statementsOf(grants)).toEqual([
      { Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource },
      {
        Effect: 'Allow',
        Action: ['dynamodb:UpdateItem'],
        Resource,
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:Attributes': ['a', 'b', 'uid'] },
          StringEqualsIfExists: {
            'dynamodb:ReturnValues': ['NONE', 'UPDATED_NEW', 'UPDATED_OLD'],
            'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'],
          },
        },
      },
    ])
  })

  it.each(Object.entries(tables))('names the key of %s', (name, { Properties: { KeySchema: keys } }) => {
    const [{ Condition } = {}] = statementsOf([{ [name]: ['UpdateItem:~'] }])
    const attributes = [...keys.map(({ AttributeName: key }) => key).toSorted(), '~']
    expect(Condition).toMatchObject({ 'ForAllValues:StringLike': { 'dynamodb:Attributes': attributes } })
  })

  it('is refused for a table with an unknown key', () => {
    expect(() => statementsOf([{ CardsTable: ['UpdateItem:a'] }])).toThrow('CardsTable')
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
