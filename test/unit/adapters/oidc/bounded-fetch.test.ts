import { afterEach, describe, expect, it, vi } from 'vitest'
import { boundedFetch } from '../../../../lib/adapters/oidc/recorded-fetch.ts'

afterEach(() => vi.unstubAllGlobals())

const REQUEST = { method: 'GET', headers: {}, body: null, redirect: 'manual' } as const

function answering(response: Response | Error): Promise<Response> {
  vi.stubGlobal('fetch', () => (response instanceof Error ? Promise.reject(response) : Promise.resolve(response)))
  return boundedFetch('https://idp.example/jwks', REQUEST)
}

describe('O13 the answer of a provider', () => {
  it('is returned whole, with status and headers', async () => {
    const response = await answering(new Response('{"keys":[]}', { status: 401, headers: { 'x-a': 'b' } }))
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([401, 'b', '{"keys":[]}'])
    expect(await (await answering(new Response(null, { status: 204 }))).text()).toBe('')
  })

  it.each<[string, Response | Error, string]>([
    ['too much', new Response('x'.repeat(262_145)), 'the provider sent too much'],
    ['a failure of its own', new Response('{}', { status: 503 }), 'the provider answered 503'],
    ['nothing', new TypeError('fetch failed'), 'fetch failed'],
  ])('makes the provider unavailable when it is %s', async (_, response, message) => {
    const { error } = await answering(response).then(
      () => ({ error: undefined }),
      (thrown) => ({ error: thrown }),
    )
    expect(error).toMatchObject({ code: 'UNAVAILABLE', cause: { message } })
  })

  it('may be a quarter of a megabyte', async () => {
    expect(await (await answering(new Response('x'.repeat(262_144)))).text()).toHaveLength(262_144)
  })
})
