import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type * as z from 'zod'
import type { About } from '../../lib/contract/about.ts'
import { expectSound } from '../support/axe.ts'
import { describeInBrowser, open, visit } from '../support/visit.ts'

/** Markup, what turns text around, NUL, and no place to break. */
const HOSTILE = `<img src=x onerror=alert(1)>\u202e\u0000${'x'.repeat(3970)}`

const EVENT = {
  'webhooks/events': 'webhook-events',
  'webhooks/events/[^/]+/[^/]+': 'webhook-event',
  deliveries: 'webhook-event-deliveries',
}

/** The answers that a page shows, by the path that it asks, each with the file of its endpoint. */
const PAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/console/webhooks': EVENT,
  '/console/webhooks?tab=deliveries': EVENT,
  '/console/refused': { refusals: 'webhook-refusals' },
  '/console/destinations': { destinations: 'destinations' },
  '/console/deliveries?destination=crm': { deliveries: 'destination-deliveries' },
  '/console/replays': { replays: 'replays' },
  '/console/payments': { payments: 'payments' },
  '/console/payments?view=orders': { orders: 'orders' },
  '/console/users': {
    users: 'users',
    sessions: 'user-sessions',
    passkeys: 'user-passkeys',
    'users/.+/keys': 'user-keys',
  },
  '/console/keys': { keys: 'keys' },
  '/console/audit': { audit: 'audit-trail' },
}

/** The example of an endpoint, with the text in the place of each that its contract does not bound. */
async function hostileAnswer(endpoint: string): Promise<unknown> {
  const { about } = (await import(`../../functions/api/${endpoint}.ts`)) as { about: () => About }
  const { content, example } = about().answers[200] ?? {}
  const schema = Object.values(content ?? {})[0] as z.ZodType
  const answer = structuredClone(example)
  const isAllowed = () => schema.safeParse(answer).success
  expect(isAllowed(), endpoint).toBe(true)
  spoil(answer, isAllowed)
  return answer
}

function spoil(part: unknown, isAllowed: () => boolean): void {
  if (typeof part !== 'object' || part === null) return
  const members = part as Record<string, unknown>
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== 'string' && value !== null) spoil(value, isAllowed)
    else {
      members[name] = HOSTILE
      if (!isAllowed()) members[name] = value
    }
  }
}

/** What a page draws of it: characters that are not seen, and elements that were text. */
const drawn = (page: Page) =>
  page.evaluate(`(() => {
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found = [...document.querySelectorAll('img[src=x]')]
    while (nodes.nextNode()) if (/[\\u0000\\u202e]/.test(nodes.currentNode.data)) found.push(nodes.currentNode.parentElement)
    return found.map((element) => element.closest('[class]').outerHTML.slice(0, 200))
  })()`)

describeInBrowser('text of 4,000 characters with markup, NUL and a turn to the left is text, and fits', () => {
  it.each(Object.entries(PAGES))('in %s', async (at, answers) => {
    await visit({ as: 'admin', viewport: { width: 1440, height: 900 } }, async (page) => {
      for (const [path, endpoint] of Object.entries(answers)) {
        const json = await hostileAnswer(endpoint)
        await page.route(new RegExp(`/api/(?:[^?]*/)?${path}(?:\\?.*)?$`), (route) =>
          route.fulfill({ json: json as object }),
        )
      }
      await open(page, at)
      await page
        .locator('tbody tr.opens')
        .first()
        .click({ position: { x: 20, y: 15 } })
      await page.locator('.pane').waitFor()
      expect(await drawn(page)).toEqual([])
      await expectSound(page)
    })
  })
})
