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

  it('allow scripts to connect only to the service and its STOMP adapter', async () => {
    const { headers } = await call('/console/webhooks')
    const { origin } = new URL(inject('ready').ws)
    expect(headers['content-security-policy']).toContain(`connect-src 'self' ${origin};`)
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
  })

  it.each(['/console/webhooks', '/docs'])('C04 GET %s allows no page to show it in a frame', async (path) => {
    const { headers } = await call(path)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
  })

  it('the page of the webhooks has a script for admins only, and home explains the endpoint in its query', async () => {
    const [user, admin] = [await loggedIn('user'), await loggedIn('admin')]
    expect((await user.call('/console/webhooks')).text).not.toContain('<script')
    expect((await admin.call('/console/webhooks')).text).toContain('<script')
    expect((await user.call('/?endpoint=userSecure')).text).toContain('lets you in')
  })

  it('the login page of a local run shows the demo users of its stores', async () => {
    const { text } = await call('/login')
    const { users } = inject('ready')
    for (const { password } of users.filter(({ store }) => ['jdbc', 'ldap'].includes(store)))
      expect(text).toContain(password)
  })
})

describe('GET /assets/{name}', () => {
  it('contains the licenses of third-party code at the place that the scripts of a page name', async () => {
    const scripts = filesOf((await call('/console/playground')).text).filter((file) => file.endsWith('.js'))
    const texts = await Promise.all(scripts.map(async (file) => (await call(file)).text))
    const named = texts.flatMap((text) => /see (\S+\.LEGAL\.txt) \*\/\s*$/.exec(text)?.[1] ?? [])
    expect(named.length).toBeGreaterThan(0)
    for (const file of named) expect((await call(`/assets/${file}`)).text).toContain('Permission')
  })

  it('answers 404 in the form of an error for a file that does not exist', async () => {
    const { status, json } = await call('/assets/style.css')
    expect(status).toBe(404)
    expect(json).toMatchObject({ error: 'Not Found', path: '/assets/style.css' })
  })
})

it.each(['/assets', '/docs', '/console'])('H33 a name under %s is one of a list', async (folder) => {
  for (const name of ['..%2f..%2fpackage.json', '%2fetc%2fpasswd', 'index.mjs', 'index.mjs%00.js', '__proto__']) {
    expect((await call(`${folder}/${name}`)).status, name).toBe(404)
  }
})
