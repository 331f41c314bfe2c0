import { describe, expect, inject, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { call } from '../support/client.ts'

const PAGES = ['/', '/login', '/console/playground', '/console/token', '/console/oauth', '/console/webhooks']

/** Every file of ours that a page names. */
const filesOf = (text: string) =>
  [...text.matchAll(/(?:href|src)="(\/assets\/[^"#]+)["#]/g)].map(([, file = '']) => file)

async function loggedIn(username: string): Promise<CookieClient> {
  const client = new CookieClient()
  await client.login(username, demoUser(username).password)
  return client
}

describe('the pages of the console', () => {
  it.each(PAGES)('GET %s is HTML for anyone, and every file that it names exists', async (path) => {
    const { status, headers, text } = await call(path)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(filesOf(text).length).toBeGreaterThanOrEqual(2)
    for (const file of filesOf(text)) expect((await call(file)).status, file).toBe(200)
  })

  it.each(PAGES)('GET %s allows scripts to connect only to the service and its STOMP adapter', async (path) => {
    const { headers } = await call(path)
    const { origin } = new URL(inject('ready').ws)
    expect(headers['content-security-policy']).toContain(`connect-src 'self' ${origin};`)
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
  })

  it.each([...PAGES, '/docs'])('C04 GET %s allows no page to show it in a frame', async (path) => {
    const { headers } = await call(path)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
  })

  it.each(['nothing', 'home', 'Token', 'token%2F'])('GET /console/%s is 404', async (name) => {
    expect((await call(`/console/${name}`)).status).toBe(404)
  })

  it.each([
    ['user', false],
    ['admin', true],
  ])('the page of the webhooks, requested by %s, has a script: %s', async (username, hasScript) => {
    const { text } = await (await loggedIn(username)).call('/console/webhooks')
    expect(text.includes('<script')).toBe(hasScript)
  })

  it('the login page of a local run shows the demo users of its stores', async () => {
    const { text } = await call('/login')
    const { users } = inject('ready')
    for (const { password } of users.filter(({ store }) => ['jdbc', 'ldap'].includes(store)))
      expect(text).toContain(password)
  })

  it('home explains the endpoint in its query', async () => {
    const client = await loggedIn('user')
    expect((await client.call('/?endpoint=userSecure')).text).toContain('lets you in')
    expect((await client.call('/?endpoint=adminSecure')).text).toContain('refuses you')
  })
})

describe('GET /assets/{name}', () => {
  it('answers with compressed bytes to clients that accept them, and with plain bytes to others', async () => {
    const [style = ''] = filesOf((await call('/login')).text).filter((file) => file.endsWith('.css'))
    const plain = await call(style)
    expect(plain.headers).toMatchObject({ 'content-type': 'text/css; charset=utf-8', vary: 'accept-encoding' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.text).toContain('light-dark(')
    const compressed = await call(style, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(compressed.headers['content-encoding']).toBe('br')
    expect(Number(compressed.headers['content-length'])).toBeLessThan(plain.text.length / 2)
  })

  it('contains the licenses of third-party code at the place that the scripts of a page name', async () => {
    const scripts = filesOf((await call('/console/playground')).text).filter((file) => file.endsWith('.js'))
    const texts = await Promise.all(scripts.map(async (file) => (await call(file)).text))
    const named = texts.flatMap((text) => /see (\S+\.LEGAL\.txt) \*\/\s*$/.exec(text)?.[1] ?? [])
    expect(named.length).toBeGreaterThan(0)
    for (const file of named) expect((await call(`/assets/${file}`)).text).toContain('Permission')
  })

  it.each(['style.css', 'style-00000000.css', '__proto__', 'constructor'])(
    'answers 404 in the form of an error for %s',
    async (name) => {
      const { status, json } = await call(`/assets/${name}`)
      expect(status).toBe(404)
      expect(json).toMatchObject({ error: 'Not Found', path: `/assets/${name}` })
    },
  )
})

describe.each(['/assets', '/docs', '/console'])('H33 a name under %s is one of a list', (folder) => {
  it.each([
    '..%2f..%2fpackage.json',
    '%2e%2e%2findex.mjs',
    '..%5c..%5cpackage.json',
    '%2fetc%2fpasswd',
    'index.mjs',
    'index.mjs%00.js',
    '__proto__',
    'constructor',
    'toString',
  ])('%s is not in the list', async (name) => {
    expect((await call(`${folder}/${name}`)).status).toBe(404)
  })
})
