import { describe, expect, it } from 'vitest'
import { ROUTES, type Route } from '../../../lib/contract/routes.ts'

const routes: readonly (readonly [string, Route])[] = Object.entries(ROUTES)

describe('the contract', () => {
  it('declares each method and path once', () => {
    const names = routes.map(([, { method, path }]) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('declares no path twice under other parameter names', () => {
    const names = routes.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(routes)('%s has a path of plain segments and parameters', (_, { path }) => {
    expect(path).toMatch(/^(\/|(\/([a-z0-9.-]+|\{[a-zA-Z]+\}))+)$/)
  })

  it('leaves the decision to a signature on webhook endpoints and nowhere else', () => {
    const signed = routes.filter(([, { access }]) => access === 'signature').map(([, { path }]) => path)
    const webhooks = routes.filter(([, { path }]) => path.startsWith('/webhooks/')).map(([, { path }]) => path)
    expect(signed).toEqual(webhooks)
  })

  /** Spec 4.1. */
  it.each([
    ['GET /api/public/hello', 'public'],
    ['POST /api/auth/login', 'public'],
    ['GET /api/auth/info', 'authenticated'],
    ['GET /api/admin/secure', { role: 'ROLE_ADMIN' }],
    ['GET /api/user/secure', { role: 'ROLE_USER' }],
    ['GET /api/jdbc/users', 'authenticated'],
    ['GET /api/ldap/users', 'authenticated'],
    ['GET /api/oauth2/profile', 'authenticated'],
    ['GET /api/oauth2/steps', 'authenticated'],
    ['POST /login', 'public'],
    ['POST /logout', 'public'],
    ['POST /api/users', { role: 'ROLE_ADMIN', permission: { name: 'CREATE', on: 'User' } }],
    ['DELETE /api/users/{userId}', { role: 'ROLE_ADMIN', permission: { name: 'DELETE', on: 'User' } }],
    ['GET /api/webhooks/events', { role: 'ROLE_ADMIN' }],
    ['GET /api/webhooks/events/{source}/{eventId}', { role: 'ROLE_ADMIN' }],
    ['POST /api/webhooks/events/{source}/{eventId}/retry', { role: 'ROLE_ADMIN' }],
    ['POST /api/webhooks/replays', { role: 'ROLE_ADMIN' }],
    ['GET /api/webhooks/replays/{replayId}', { role: 'ROLE_ADMIN' }],
  ])('%s is open to %j', (name, access) => {
    const [, route] = routes.find(([, { method, path }]) => `${method} ${path}` === name) ?? []
    expect(route?.access).toEqual(access)
  })
  it.each([
    ['GET /api/jdbc/users', 'database', 'jdbc'],
    ['GET /api/ldap/users', 'directory', 'ldap'],
    ['GET /api/oauth2/profile', 'session', 'oauth2'],
    ['GET /api/oauth2/steps', 'session', 'oauth2'],
    ['GET /api/auth/info', undefined, 'all'],
    ['GET /api/admin/secure', undefined, 'all'],
    ['GET /api/user/secure', undefined, 'all'],
    ['POST /api/auth/login', undefined, 'all'],
    ['POST /login', undefined, 'all'],
    ['POST /api/users', undefined, 'all'],
    ['DELETE /api/users/{userId}', undefined, 'all'],
  ])('%s takes the credentials %s and belongs to the profile %s', (name, credentials, profile) => {
    const [, route] = routes.find(([, { method, path }]) => `${method} ${path}` === name) ?? []
    expect([route?.credentials, route?.profile]).toEqual([credentials, profile])
  })
})
