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

  it('answers errors as spec 2.4 says at its two webhooks, as plain text at the others, as spec 2.3 says elsewhere', () => {
    const errors = new Set(routes.map(([, { path, errors }]) => `${path.split('/').slice(0, 3).join('/')} ${errors}`))
    expect([...errors].filter((of) => of.startsWith('/webhooks') || !of.endsWith(' api')).sort()).toEqual([
      '/webhooks/github text',
      '/webhooks/order-status webhook',
      '/webhooks/payment webhook',
      '/webhooks/stripe text',
      '/webhooks/{provider} text',
    ])
  })

  const ADMIN = { role: 'ROLE_ADMIN' }

  /** Spec 4.1, and what stands beside it. */
  it('says of each endpoint who gets in, with which credentials and in which profiles', () => {
    const access = routes.map(([, { method, path, access, credentials = 'any', profile }]) => [
      `${method} ${path}`,
      access,
      credentials,
      profile,
    ])
    expect(access).toEqual([
      ['GET /api/public/hello', 'public', 'any', 'all'],
      ['POST /api/auth/login', 'public', 'any', 'all'],
      ['GET /api/auth/info', 'authenticated', 'any', 'all'],
      ['GET /api/admin/secure', ADMIN, 'any', 'all'],
      ['GET /api/user/secure', { role: 'ROLE_USER' }, 'any', 'all'],
      ['GET /api/jdbc/users', 'authenticated', 'database', 'jdbc'],
      ['GET /api/ldap/users', 'authenticated', 'directory', 'ldap'],
      ['GET /api/oauth2/profile', 'authenticated', 'session', 'oauth2'],
      ['GET /api/oauth2/steps', 'authenticated', 'session', 'oauth2'],
      ['POST /api/users', { ...ADMIN, permission: { name: 'CREATE', on: 'User' } }, 'any', 'all'],
      ['DELETE /api/users/{userId}', { ...ADMIN, permission: { name: 'DELETE', on: 'User' } }, 'any', 'all'],
      ['GET /', 'public', 'any', 'all'],
      ['GET /login', 'public', 'any', 'all'],
      ['POST /login', 'public', 'any', 'all'],
      ['POST /logout', 'public', 'any', 'all'],
      ['GET /oauth2/authorization/{registrationId}', 'public', 'any', 'oauth2'],
      ['GET /login/oauth2/code/{registrationId}', 'public', 'any', 'oauth2'],
      ['GET /console/{page}', 'public', 'any', 'all'],
      ['GET /assets/{name}', 'public', 'any', 'all'],
      ['GET /api/webhooks/events', ADMIN, 'any', 'all'],
      ['GET /api/webhooks/events/{source}/{eventId}', ADMIN, 'any', 'all'],
      ['GET /api/webhooks/events/{source}/{eventId}/payload', ADMIN, 'any', 'all'],
      ['POST /api/webhooks/events/{source}/{eventId}/retry', ADMIN, 'any', 'all'],
      ['POST /api/webhooks/replays', ADMIN, 'any', 'all'],
      ['GET /api/webhooks/replays/{replayId}', ADMIN, 'any', 'all'],
      ['POST /webhooks/payment', 'signature', 'any', 'all'],
      ['POST /webhooks/order-status', 'signature', 'any', 'all'],
      ['POST /webhooks/stripe', 'signature', 'any', 'all'],
      ['POST /webhooks/github', 'signature', 'any', 'all'],
      ['POST /webhooks/{provider}', 'signature', 'any', 'all'],
      ['GET /webhooks/{provider}', 'signature', 'any', 'all'],
      ['GET /openapi.json', 'public', 'any', 'all'],
      ['GET /docs', 'public', 'any', 'all'],
      ['GET /docs/{asset}', 'public', 'any', 'all'],
    ])
  })

  it('lets only those providers ask without a signature who begin so', () => {
    const named = routes.flatMap(([name, { providers }]) => (providers === undefined ? [] : [[name, providers]]))
    expect(named).toEqual([['webhookChallenge', ['dropbox', 'meta']]])
  })
})
