import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { served } from '../support/served.ts'
import { callsTakingBasic } from '../support/taking-basic.ts'
import { describeInBrowser, visit } from '../support/visit.ts'

/** Counts how often the browser would ask its user for a name and a password, and cancels. */
async function countDialogs(page: Page): Promise<() => number> {
  let count = 0
  const browser = await page.context().newCDPSession(page)
  browser.on('Fetch.requestPaused', ({ requestId }) => void browser.send('Fetch.continueRequest', { requestId }))
  browser.on('Fetch.authRequired', ({ requestId }) => {
    count += 1
    const authChallengeResponse = { response: 'CancelAuth' } as const
    void browser.send('Fetch.continueWithAuth', { requestId, authChallengeResponse })
  })
  await browser.send('Fetch.enable', { handleAuthRequests: true })
  return () => count
}

describeInBrowser('http-25 the dialog of the browser for a name and a password', () => {
  it.each([
    ['without credentials', {}],
    ['with a wrong password', { authorization: `Basic ${Buffer.from('nobody:wrong').toString('base64')}` }],
  ])('is opened by no fetch of a page that meets 401 %s', async (_, headers) => {
    const calls = callsTakingBasic('default', 'jdbc', served('http')).slice(
      0,
      'authorization' in headers ? 3 : undefined,
    )
    await visit({ at: '/', allow: /401/ }, async (page) => {
      const dialogs = await countDialogs(page)
      const statuses = await page.evaluate(
        ([all, sent]) =>
          Promise.all(all.map(async ({ method, address }) => (await fetch(address, { method, headers: sent })).status)),
        [calls, headers] as const,
      )
      expect([statuses, dialogs()]).toEqual([calls.map(() => 401), 0])
    })
  })

  it('is opened for who types an address that takes a password', async () => {
    await visit({ allow: /401/ }, async (page) => {
      const dialogs = await countDialogs(page)
      await page.goto(`${served('http')}/api/jdbc/users`)
      expect(dialogs()).toBe(1)
    })
  })
})
