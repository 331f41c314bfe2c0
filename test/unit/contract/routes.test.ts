import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../../lib/contract/route.ts'

const routes: readonly (readonly [string, Route])[] = Object.entries(ROUTES)

describe('the contract', () => {
  it('declares no path twice under other parameter names', () => {
    const names = routes.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(routes)('%s has a path of plain segments and parameters', (_, { path }) => {
    expect(path).toMatch(/^(\/|(\/([a-z0-9.-]+|\{[a-zA-Z]+\}))+)$/)
  })

  it('leaves the decision to a signature only on webhook endpoints', () => {
    const signed = routes.filter(([, { access }]) => access === 'signature').map(([, { path }]) => path)
    const webhooks = routes.filter(([, { path }]) => path.startsWith('/webhooks/')).map(([, { path }]) => path)
    expect(signed).toEqual(webhooks)
  })

  it('answers errors in the form of the webhook result at two webhooks, as plain text at the others, and in the API format elsewhere (http-17)', () => {
    const errors = new Set(
      routes.map(([, { path, errors = 'api' }]) => `${path.split('/').slice(0, 3).join('/')} ${errors}`),
    )
    expect([...errors].filter((of) => of.startsWith('/webhooks') || !of.endsWith(' api')).sort()).toEqual([
      '/webhooks/github text',
      '/webhooks/order-status webhook',
      '/webhooks/payment webhook',
      '/webhooks/stripe text',
      '/webhooks/{provider} text',
    ])
  })

  it('lets HEAD out only where a GET changes something: at the login with an identity provider', () => {
    const changing = routes.flatMap(([name, { changes }]) => (changes ? [name] : []))
    expect(changing).toEqual(['oauth2Start', 'oauth2Callback'])
  })
})
