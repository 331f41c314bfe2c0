import type { BrowserContext, Page, WebSocketRoute } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { eventPage } from '../../lib/contract/answers/events.ts'
import { inFull } from '../support/full-runs.ts'
import { INBOX, LIST, rowOf } from '../support/inbox.ts'
import { describeInBrowser, visit } from '../support/visit.ts'

const PAGE = 50
const BATCH = 100
const LIVE = inFull(4000, 500)
const LISTED = inFull(20_000, 500)

/** What a page may need more than at first. */
const MORE_NODES = 200
const MORE_BYTES = 3_000_000

const PROOF = { level: 'none', key: null, signedAt: null, typeSigned: false, idSigned: false }
const NOTHING = {
  ...{ processedAt: null, nextRetryAt: null, errorMessage: null, outcome: null, possibleDuplicateOf: null },
  ...{ dead: false, typeConflict: false, held: false, summary: null, idConflict: null, itemCount: null },
}

/** A page of the list whose newest event has that number. */
function listFrom(newest: number): object {
  const events = Array.from({ length: Math.min(PAGE, newest) }, (_, index) => ({
    ...{ id: `${newest - index}`, source: 'payment', eventId: `event-${newest - index}`, eventType: 'PAYMENT' },
    ...{ status: 'PROCESSED', receivedAt: '2026-01-02T03:04:05.000', attempts: 0, proof: PROOF, ...NOTHING },
  }))
  return eventPage.parse({ events, nextCursor: newest > PAGE ? `${newest - PAGE}` : null })
}

/** What the document and its script need, without what is left to be collected. */
async function sizeOf(page: Page, context: BrowserContext) {
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN
  return { nodes: metric('Nodes'), bytes: metric('JSHeapUsedSize') }
}

async function expectFlat(page: Page, context: BrowserContext, before: Awaited<ReturnType<typeof sizeOf>>) {
  const { nodes, bytes } = await sizeOf(page, context)
  expect(nodes - before.nodes).toBeLessThan(MORE_NODES)
  expect(bytes - before.bytes).toBeLessThan(MORE_BYTES)
}

/** Moves the page's time until something shows. */
async function until(page: Page, isShown: () => Promise<boolean>): Promise<void> {
  const shown = async () => {
    await page.clock.fastForward(1000)
    return isShown()
  }
  await expect.poll(shown, { interval: 10 }).toBe(true)
}

describeInBrowser('the inbox needs as much for thousands of events as for a hundred', () => {
  it(`when ${LIVE} arrive while it is live`, async () => {
    await visit({ as: 'admin' }, async (page, context) => {
      let newest = 0
      let watching: { readonly socket: WebSocketRoute; readonly id: string } | undefined
      await page.clock.install()
      await page.route(LIST, (route) => route.fulfill({ json: listFrom(newest) }))
      await page.routeWebSocket(inject('ready').ws, (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((message) => {
          const id = /^SUBSCRIBE\n(?:.*\n)*?id:(.*)\n/.exec(String(message))?.[1]
          if (id !== undefined) watching = { socket, id }
          server.send(message)
        })
      })
      await page.goto(INBOX)
      await until(page, () => page.getByText(/^Live/).isVisible())

      const arrive = async () => {
        for (let count = 0; count < BATCH; count++) {
          newest++
          const change = { source: 'payment', eventId: `event-${newest}`, status: 'PROCESSED', cursor: `${newest}` }
          const head = `subscription:${watching?.id}\nmessage-id:${newest}\ndestination:/topic/webhooks`
          watching?.socket.send(`MESSAGE\n${head}\n\n${JSON.stringify(change)}\0`)
        }
        await until(page, () => rowOf(page, `event-${newest}`).isVisible())
      }
      await arrive()
      const before = await sizeOf(page, context)
      while (newest < LIVE) await arrive()
      await expectFlat(page, context, before)
    })
  })

  it(`when one goes back through ${LISTED}`, async () => {
    await visit({ as: 'admin' }, async (page, context) => {
      await page.clock.install()
      await page.route(LIST, (route) => {
        const cursor = new URL(route.request().url()).searchParams.get('cursor')
        return route.fulfill({ json: listFrom(Number(cursor ?? LISTED)) })
      })
      await page.goto(INBOX)
      const older = page.getByRole('link', { name: 'Older' })
      const goTo = async (last: number) => {
        if (last > PAGE) await older.click()
        const place = `${(last - PAGE + 1).toLocaleString('en')}–${last.toLocaleString('en')}`
        await until(page, () => page.getByText(new RegExp(`^${place}(?: of|$)`)).isVisible())
      }
      await goTo(PAGE)
      await goTo(2 * PAGE)
      const before = await sizeOf(page, context)
      for (let last = 3 * PAGE; last <= LISTED; last += PAGE) await goTo(last)
      await expectFlat(page, context, before)
      await rowOf(page, 'event-1').waitFor()
      expect(await older.count()).toBe(0)
    })
  })
})
