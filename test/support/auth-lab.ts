import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isInProfile } from '../../lib/auth/profile.ts'
import { ROUTES } from '../../lib/endpoints/index.ts'
import type { Route } from '../../lib/endpoints/route.ts'

export const LAB = '/console/playground'

export const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' })

/** A cell by its call: `GET /api/admin/secure, JWT`. */
export const cell = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`: ${RegExp.escape(name)}$`) })

/** @returns how many cells are as documented */
export async function runAll(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Run all' }).click()
  const summary = page.getByText(/^\d+ of \d+ as documented$/)
  await summary.waitFor({ timeout: 50_000 })
  return summary.innerText()
}

/** The ways in that can be tried, and what the profile has besides: none, JWT and session are tried in each of them. */
const TRIED = { default: 5, ldap: 4 }

/** Calls each endpoint in each way, as users of the role of the visitor. */
export async function expectAsDocumented(page: Page, profile: 'default' | 'ldap'): Promise<void> {
  const routes = Object.values<Route>(ROUTES)
  const endpoints = routes.filter((route) => route.path.startsWith('/api/') && isInProfile(route, profile)).length
  const total = TRIED[profile] * endpoints
  const found = await runAll(page)
  expect(found, String(await page.locator('.cell[data-tone=bad]').allInnerTexts())).toBe(
    `${total} of ${total} as documented`,
  )
}

/** Chooses users without ROLE_ADMIN for all ways. */
export async function callAsUsers(page: Page): Promise<void> {
  for (const who of await page.getByRole('combobox').all()) {
    const user = (await who.locator('option').allInnerTexts()).find((option) => option.endsWith('user'))
    if (user !== undefined) await who.selectOption(user)
  }
}
