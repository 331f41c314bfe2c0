import { HtmlValidate } from 'html-validate'
import { describe, expect, it } from 'vitest'
import type { LoginAttack } from '../../../../lib/contract/login-attacks.ts'
import { identitiesOf } from '../../../../localstack/providers/client.ts'
import {
  type DemoProvider,
  foreignFile,
  foreignRefusal,
  providerLoginPage,
} from '../../../../localstack/providers/pages.ts'

const PLACE: DemoProvider = {
  provider: 'google',
  host: '127.0.0.1:3002',
  client: { id: 'gatehouse-local', redirectUri: 'http://127.0.0.1:3000/login/oauth2/code/google' },
}
const IDENTITIES = identitiesOf('google')

const shown = (client: Partial<DemoProvider['client']> = {}, attack?: LoginAttack | null) =>
  providerLoginPage(
    { ...PLACE, client: { ...PLACE.client, ...client } },
    { identities: IDENTITIES, scope: 'openid email', ...(attack !== undefined && { attack }) },
  )

describe('the login page of a demo provider', () => {
  it('is valid HTML, as is that of its refusals', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:recommended'],
      rules: { 'doctype-style': ['error', { style: 'lowercase' }] },
    })
    for (const { body = '' } of [shown(), shown({}, 'old-nonce'), foreignRefusal(PLACE, 400, '<b>')])
      expect((await validator.validateString(body)).results.flatMap(({ messages }) => messages)).toEqual([])
  })

  it('states that the user has left Gatehouse, if that is so, and where the login leads', () => {
    for (const text of ['You have left Gatehouse.', '127.0.0.1:3002', '<b>gatehouse-local</b> at 127.0.0.1:3000'])
      expect(shown().body).toContain(text)
  })

  it.each([
    ['as in the demo users', undefined, ['ROLE_ADMIN', 'ROLE_USER']],
    ['as in the setting', ['google:110000000000000000002'], ['ROLE_USER', 'ROLE_ADMIN']],
    ['to nobody', [], ['ROLE_USER', 'ROLE_USER']],
  ])('states the role of each account, %s', (_, admins, roles) => {
    const told = [...(shown({ admins }).body ?? '').matchAll(/becomes (\w+)</g)].map(([, role]) => role)
    expect(told).toEqual(roles)
  })

  it.each<[LoginAttack | null | undefined, number, readonly string[]]>([
    [undefined, 0, []],
    [null, 1, []],
    ['old-nonce', 1, ['old-nonce']],
  ])('offers attacks if the provider can simulate them, the requested one first: %s', (attack, lists, chosen) => {
    const { body = '' } = shown({}, attack)
    expect(body.split('<select').length - 1).toBe(lists)
    expect([...body.matchAll(/value="([^"]*)" selected/g)].map(([, name]) => name)).toEqual(chosen)
  })

  it('names each scope and its purpose', () => {
    expect(shown().body).toMatch(/<code>openid<\/code> <span[^>]*>who you are.*\n.*<code>email<\/code>/)
  })

  it('has nothing inline; its form leads to the provider and from there to Gatehouse', () => {
    expect(shown().headers?.['content-security-policy']).toContain("form-action 'self' http://127.0.0.1:3000;")
    expect(shown().body).not.toMatch(/<style|\sstyle=|<script|\son\w+=/)
  })

  it.each(['href="(/[^"#]+)#globe"', 'rel="stylesheet" href="([^"]+)"'])('contains the file of %s', async (link) => {
    const [, path = ''] = new RegExp(link).exec(shown().body ?? '') ?? []
    expect((await foreignFile(path))?.body?.length).toBeGreaterThan(1000)
  })

  it('has the colors of the console, from the same source', async () => {
    const { body } = (await foreignFile('/demo-provider/style.css')) ?? {}
    expect(body).toMatch(/--accent: ?light-dark\(#2450c4, ?#93b4ff\)/)
    expect(body).not.toMatch(/url\(|@import/)
    expect(await foreignFile('/demo-provider/other.css')).toBeUndefined()
  })

  it('links back to Gatehouse from a refusal, with its status', () => {
    const { status, body } = foreignRefusal(PLACE, 400, 'It is over.')
    expect(status).toBe(400)
    expect(body).toMatch(/It is over\.[\s\S]*href="http:\/\/127\.0\.0\.1:3000\/login"/)
  })
})
