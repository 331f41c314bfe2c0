import { readFileSync } from 'node:fs'
import { HtmlValidate } from 'html-validate'
import { expect, it } from 'vitest'
import { referenceOf } from '../../infra/reference/reference.ts'
import type { Principal } from '../../lib/auth/principal.ts'
import { SCRIPT_PAGES } from '../../lib/contract/console.ts'
import { fail, type ServiceError } from '../../lib/errors.ts'
import { errorContent } from '../../lib/http/pages/error.ts'
import { homePage } from '../../lib/http/pages/home.ts'
import { Html, iconsOf } from '../../lib/http/pages/html.ts'
import { loginPage } from '../../lib/http/pages/login.ts'
import { barePage, type PageContent, page } from '../../lib/http/pages/page.ts'
import { docsPage, scriptPage } from '../../lib/http/pages/script-page.ts'
import type { View } from '../../lib/http/pages/site.ts'
import { httpEvent } from '../support/fakes/http.ts'
import { ALICE, BOB, DEMO_USERS, SITE, viewOf } from '../support/fakes/pages.ts'

const site = { ...SITE, demoUsers: DEMO_USERS }
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: { 'doctype-style': ['error', { style: 'lowercase' }] },
})

const PAGES: readonly (readonly [
  what: string,
  principal: Principal | undefined,
  content: (view: View) => PageContent,
])[] = [
  ['the login', undefined, (view) => loginPage(view, site, {})],
  ['the login, refused', undefined, (view) => loginPage(view, site, { error: '', logout: '' }, '<"admin">')],
  ['the login, canceled', ALICE, (view) => loginPage(view, site, { canceled: 'google', returnTo: '/docs' })],
  ['home, anonymously on a stage', undefined, (view) => homePage(view, { ...SITE, isLocal: false }, undefined)],
  ['home, anonymously', undefined, (view) => homePage(view, site, undefined)],
  ['home, to an admin', ALICE, (view) => homePage(view, site, 'usersDelete')],
  ['home, to a user', BOB, (view) => homePage(view, site, 'publicHello')],
  ...SCRIPT_PAGES.map((name) => [name, ALICE, (view: View) => scriptPage(name, view, site)] as const),
  [
    'the reference',
    ALICE,
    (view) => docsPage(new Html(referenceOf(readFileSync('docs/openapi.json', 'utf8'))), view, site),
  ],
  ['webhooks, to a user', BOB, (view) => scriptPage('webhooks', view, site)],
]

async function problemsOf(text = ''): Promise<readonly string[]> {
  const { results } = await validator.validateString(text)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  )
}

it.each(PAGES)('html-validate finds no fault in %s', async (_, principal, contentOf) => {
  const view = viewOf(principal)
  expect(await problemsOf(page(site, view, contentOf(view)).body)).toEqual([])
})

const FAILURES: readonly ServiceError[] = [
  fail('CROSS_SITE_LOGIN'),
  fail('ENDPOINT_NOT_FOUND'),
  fail('METHOD_NOT_SUPPORTED', { requestMethod: 'GET', supportedMethods: ['DELETE', 'POST'] }),
  fail('UNEXPECTED'),
  fail('UNAVAILABLE'),
]

it.each(FAILURES.map((error) => [error.status, error] as const))(
  'html-validate finds no fault in the page of a %i',
  async (_, error) => {
    const event = httpEvent({ path: '/"><script>&', rawQueryString: 'a="&b=<' })
    expect(
      await problemsOf(barePage(site.manifest, errorContent(error, event, site.baseUrl, iconsOf(site.manifest))).body),
    ).toEqual([])
  },
)
