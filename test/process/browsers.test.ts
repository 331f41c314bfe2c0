import { resolve } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Reply } from '../../lib/http/message.ts'
import { judge } from '../support/described.ts'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { invoker, lambdaEvent } from '../support/lambda-event.ts'

/** A deployed service: over https, with a client at a provider, and another whose provider is not there. */
const ENVIRONMENT = {
  ...LAMBDA_ENVIRONMENT,
  OAUTH2_GITHUB_CLIENT_ID: 'client',
  OAUTH2_GITHUB_CLIENT_SECRET: 'a secret of sixteen',
  OAUTH2_GOOGLE_CLIENT_ID: 'client',
  OAUTH2_GOOGLE_CLIENT_SECRET: 'a secret of sixteen',
  OAUTH2_GOOGLE_ISSUER: 'http://127.0.0.1:9',
  TRUSTED_ORIGINS: 'https://app.example',
}

beforeAll(() => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value)
})

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

interface Asked {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function get(name: string, path: string, { query = '', headers = {} }: Asked = {}): Promise<Reply> {
  const { handler } = await import(resolve(`dist/${name}/index.mjs`))
  const registrationId = path.split('/').at(-1) ?? ''
  const event = { ...lambdaEvent('GET', path, { headers }), rawQueryString: query, pathParameters: { registrationId } }
  return invoker(handler)(event)
}

const cookieNames = ({ cookies = [] }: Reply) => cookies.map((line) => line.slice(0, line.indexOf('=')))

describe('S18 over https no other site of the domain can plant a cookie:', () => {
  const start = () => get('login/oauth2-start', '/oauth2/authorization/github')

  it('each cookie of the service has the prefix, and the attributes that the prefix requires', async () => {
    const begun = await start()
    const page = await get('login/page', '/login')
    expect([...cookieNames(begun), ...cookieNames(page)]).toEqual([
      expect.stringMatching(/^__Host-oauth2_tx_[0-7]$/),
      '__Host-oauth2_tabs',
      '__Host-XSRF-TOKEN',
    ])
    for (const line of [...(begun.cookies ?? []), ...(page.cookies ?? [])]) {
      expect(line.split('; ')).toEqual(expect.arrayContaining(['Path=/', 'Secure']))
      expect(line).not.toContain('Domain')
    }
  })

  it('a transaction counts only under its own name, and is cleared under it', async () => {
    const { headers, cookies: [transaction = ''] = [] } = await start()
    const query = `code=c&state=${new URL(headers['location'] ?? '').searchParams.get('state')}`
    const [ours = ''] = transaction.split('; ')
    const back = (cookie: string) =>
      get('login/oauth2-callback', '/login/oauth2/code/github', { query, headers: { cookie } })
    expect(await back(ours.replace('__Host-', ''))).toMatchObject({
      statusCode: 302,
      headers: { location: '/login?error' },
      cookies: [],
    })
    expect(cookieNames(await back(ours))).toEqual([ours.slice(0, ours.indexOf('='))])
  })
})

describe('a browser receives a page while', () => {
  it.each([
    ['the table of sessions is down', 'login/home', '/', { cookie: 'JSESSIONID=x' }],
    ['a provider is down', 'login/oauth2-start', '/oauth2/authorization/google', {}],
  ])('%s, and a program receives the error format', async (_, name, path, headers) => {
    const page = await get(name, path, { query: 'a=b', headers: { ...BROWSER, ...headers } })
    expect([page.statusCode, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.headers).toMatchObject({ 'retry-after': '5', vary: 'Origin' })
    expect(page.body).toMatch(/<link rel="stylesheet" href="\/assets\/style-\w+\.css">/)
    expect(page.body).toContain(`<a class="btn big main-btn" href="https://api.example${path}?a=b">Try again</a>`)
    expect(judge('GET', path, { status: 503, headers: page.headers, text: page.body ?? '' })).toEqual([])
    const shape = await get(name, path, { headers })
    expect([shape.statusCode, JSON.parse(shape.body ?? '').status]).toEqual([503, 503])
  })
})

it('H28 the function for all other paths answers a preflight with the methods of the path', async () => {
  const { handler } = await import(resolve('dist/fallback/index.mjs'))
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'DELETE' }
  expect(await invoker(handler)(lambdaEvent('OPTIONS', '/api/users/7', { headers }))).toMatchObject({
    statusCode: 204,
    headers: {
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': expect.stringContaining('DELETE'),
    },
  })
})
