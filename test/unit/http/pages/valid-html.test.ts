import { HtmlValidate } from 'html-validate'
import { expect, it } from 'vitest'
import type { Principal } from '../../../../lib/auth/principal.ts'
import { SCRIPT_PAGES } from '../../../../lib/contract/console.ts'
import { homePage } from '../../../../lib/http/pages/home.ts'
import { loginPage } from '../../../../lib/http/pages/login.ts'
import { type PageContent, page } from '../../../../lib/http/pages/page.ts'
import { scriptPage } from '../../../../lib/http/pages/script-page.ts'
import type { View } from '../../../../lib/http/pages/view.ts'
import { ALICE, BOB, DEMO_USERS, SITE, viewOf } from '../../../support/fakes/pages.ts'

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
  ['the login, refused', undefined, (view) => loginPage(view, site, { error: '', logout: '' })],
  ['home, to nobody', undefined, (view) => homePage(view, site, undefined)],
  ['home, to an admin', ALICE, (view) => homePage(view, site, 'usersDelete')],
  ['home, to a user', BOB, (view) => homePage(view, site, 'publicHello')],
  ...SCRIPT_PAGES.map((name) => [name, ALICE, (view: View) => scriptPage(name, view, site)] as const),
  ['webhooks, to a user', BOB, (view) => scriptPage('webhooks', view, site)],
]

it.each(PAGES)('html-validate finds nothing wrong with %s', async (_, principal, contentOf) => {
  const view = viewOf(principal)
  const { results } = await validator.validateString(page(site, view, contentOf(view)).body ?? '')
  expect(
    results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`)),
  ).toEqual([])
})
