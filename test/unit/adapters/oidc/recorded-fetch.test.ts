import { afterEach, describe, expect, it, vi } from 'vitest'
import { recorded, recordedFetch } from '../../../../lib/adapters/oidc/recorded-fetch.ts'
import { recordSteps } from '../../../../lib/auth/oauth2/steps.ts'

afterEach(() => vi.unstubAllGlobals())

const TOKEN = 'https://idp.example/token'
const ask = recordedFetch({ [TOKEN]: 'token', 'https://idp.example/me': 'user' })

const post = (url: string, parameters: Record<string, string> = {}) =>
  ask(url, { method: 'POST', headers: {}, body: new URLSearchParams(parameters), redirect: 'manual' })
const get = (url: string) => ask(url, { method: 'GET', headers: {}, body: null, redirect: 'manual' })

function answering(body: string, status = 200): void {
  vi.stubGlobal('fetch', async () => new Response(body, { status }))
}

describe('a request to a provider', () => {
  it('is recorded as a step of its login, and its answer is returned unread', async () => {
    answering('{"token_type":"bearer","access_token":"0123456789abcdef"}')
    const recorder = recordSteps()
    const response = await recorded(recorder, () => post(TOKEN, { grant_type: 'authorization_code' }))
    expect(await response.json()).toEqual({ token_type: 'bearer', access_token: '0123456789abcdef' })
    expect(recorder.steps()).toMatchObject([
      {
        name: 'token',
        method: 'POST',
        url: TOKEN,
        sent: [{ name: 'grant_type', value: 'authorization_code' }],
        answer: {
          status: 200,
          fields: [
            { name: 'token_type', value: 'bearer' },
            { name: 'access_token', value: '0123…' },
          ],
        },
      },
    ])
  })

  it.each([
    ['a text that is not JSON', '<html>', 200],
    ['a refusal', '', 401],
  ])('is a step when it is answered with %s', async (_, body, status) => {
    answering(body, status)
    const recorder = recordSteps()
    const response = await recorded(recorder, () => get('https://idp.example/me?fields=id'))
    expect([response.status, await response.text()]).toEqual([status, body])
    expect(recorder.steps()).toMatchObject([
      { name: 'user', sent: [{ name: 'fields', value: 'id' }], answer: { status, fields: [] } },
    ])
  })

  it('is not a step when it is sent to another address, or outside of a login', async () => {
    answering('{}')
    const recorder = recordSteps()
    await recorded(recorder, () => get('https://idp.example/.well-known/openid-configuration'))
    await get('https://idp.example/me')
    expect(recorder.steps()).toEqual([])
  })

  it('is a step of its own login, with any number of parallel logins', async () => {
    vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
      await Promise.resolve()
      return Response.json({ scope: new URLSearchParams(String(body)).get('scope') })
    })
    const scopes = Array.from({ length: 20 }, (_, index) => `scope-${index}`)
    const logins = scopes.map(async (scope) => {
      const recorder = recordSteps()
      await recorded(recorder, () => post(TOKEN, { scope }))
      return recorder.steps().map(({ sent, answer }) => [sent[0]?.value, answer?.fields[0]?.value])
    })
    expect(await Promise.all(logins)).toEqual(scopes.map((scope) => [[scope, scope]]))
  })
})
