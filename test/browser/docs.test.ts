import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { chromiumPath, launch } from '../support/chromium.ts'
import { complaintsOf } from '../support/complaints.ts'

const path = chromiumPath()

describe.skipIf(path === undefined)('the page of the description, in a real browser', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launch(path ?? '')
  })
  afterAll(() => browser?.close())

  async function openDocs(query = ''): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
    const http = inject('http')
    const context = await browser.newContext()
    const complaints = complaintsOf(context, http)
    const page = await context.newPage()
    await page.goto(`${http}/docs${query}`)
    return { page, complaints }
  }

  async function run(page: Page, operation: string): Promise<string> {
    const block = page.locator(`[id$="-${operation}"]`)
    await block.locator('.opblock-summary-control').click()
    await block.getByRole('button', { name: 'Try it out' }).click()
    await block.getByRole('button', { name: 'Execute' }).click()
    return block.locator('.live-responses-table .response .response-col_status').first().innerText()
  }

  it('C09 shows ours, whatever its address says, and asks nobody else', async () => {
    const elsewhere = encodeURIComponent('https://evil.example/openapi.json')
    const { page, complaints } = await openDocs(`?url=${elsewhere}&configUrl=${elsewhere}&validatorUrl=${elsewhere}`)
    await page.getByText('/api/public/hello', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('shows every endpoint, and runs it with the token that it is given, with nothing refused and nobody else asked', async () => {
    const token = await tokenOf('admin')
    const { page, complaints } = await openDocs()
    await page.getByText('/api/public/hello', { exact: true }).waitFor()
    expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(30)
    expect(await run(page, 'publicHello')).toContain('200')
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const bearer = page.locator('.auth-container', { hasText: 'bearer' })
    await bearer.locator('input').fill(token)
    await bearer.getByRole('button', { name: 'Apply credentials' }).click()
    await page.getByRole('button', { name: 'Close' }).first().click()
    expect(await run(page, 'adminSecure')).toContain('200')
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
