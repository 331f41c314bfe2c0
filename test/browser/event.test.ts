import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectSound } from '../support/axe.ts'
import { payment, postPayment } from '../support/events.ts'
import { describeInBrowser, open, REFUSED_CALLS, type Visit, visit } from '../support/visit.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** The largest payload that the service takes. */
const FOUR_MIB = 4_194_304
const ROWS = 60_000

const TABS = ['overview', 'payload', 'headers', 'attempts', 'deliveries', 'proof'] as const

interface Delivery {
  readonly status: string
  readonly answer: string
}

/** The deliveries of an event, as the service lists them. */
function deliveriesOf(...given: readonly Delivery[]): object {
  const at = '2026-01-02T03:04:05.000'
  const deliveries = given.map((one, index) => ({
    destination: `crm-${index}`,
    attempts: 1,
    dueAt: null,
    deliveredAt: null,
    history: [
      {
        ...{ at, status: 'DELIVERED', attempt: 1, replayId: null, user: null, reason: null, ms: 12, error: null },
        request: { method: 'POST', url: 'crm.example', headers: {}, body: '{}', encoding: 'utf8', truncated: false },
        answer: { status: 200, headers: {}, body: one.answer, encoding: 'utf8', truncated: false },
      },
    ],
    ...one,
  }))
  return { deliveries, others: [{ destination: 'ledger', unmet: ['where.json.amount'] }] }
}

function addressOf(eventId: string, tab: (typeof TABS)[number] = 'overview', source = 'payment'): string {
  return `/console/webhooks?${new URLSearchParams({ event: `${source}/${eventId}`, tab })}`
}

const lines = (page: Page) => page.getByRole('treeitem')
const pane = (page: Page) => page.locator('.pane')
const note = (page: Page) => page.locator('.payload .push.num')

describeInBrowser('the pane of an event', () => {
  /** Visits the pane of an event as an admin, who may copy from it. */
  const visitPane = (at: string, run: (page: Page) => Promise<void>, options: Visit = {}) =>
    visit(
      {
        at,
        as: 'admin',
        allow: REFUSED_CALLS,
        viewport: WIDE,
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      },
      run,
    )

  /** Stores a payment; its event id. */
  async function stored(changes: object = {}): Promise<string> {
    const body = payment({ ...changes })
    await postPayment(body)
    return String(body['eventId'])
  }

  /** Stores a payment that contradicts another one, and fails. */
  async function failing(): Promise<string> {
    const body = payment()
    await postPayment(body)
    const eventId = `${body['eventId']}-other`
    await postPayment({ ...body, eventId, orderId: 'another-order', status: 'REFUNDED' })
    return eventId
  }

  it('a retry by an operator reads as a request, and the history starts with the first attempt', async () => {
    const eventId = await failing()
    await visitPane(addressOf(eventId), async (page) => {
      await pane(page).getByText('The payment belongs to another order or currency.').waitFor()
      await page.getByRole('button', { name: 'Retry now' }).click()
      await page.getByRole('link', { name: /^Attempts/ }).click()
      await pane(page).getByText('Retry requested by admin').waitFor()
      await pane(page).getByText('during receipt failed').waitFor()
      expect(await pane(page).innerText()).not.toContain('Failed by')
    })
  })

  it('a payload of 4 MiB has as few lines in the document as a small one', async () => {
    // Texts in a list: an unsigned payload may have few members.
    const rows = Array.from({ length: ROWS }, (_, id) => `row ${id}`)
    const sized = (fill: string) => payment({ rows, fill, last: 'the end' })
    const bare = sized('')
    const body: Record<string, unknown> = { ...bare, fill: 'x'.repeat(FOUR_MIB - JSON.stringify(bare).length) }
    expect(JSON.stringify(body)).toHaveLength(FOUR_MIB)
    await postPayment(body)
    await visitPane(addressOf(String(body['eventId']), 'payload'), async (page) => {
      await lines(page).nth(30).waitFor()
      await note(page)
        .getByText(/4(\.0)? MiB/)
        .waitFor()
      expect(await lines(page).count()).toBeLessThan(100)
      await page.getByRole('tree').focus()
      await page.keyboard.press('End')
      await page.getByRole('treeitem', { name: 'the end' }).waitFor()
      expect(await lines(page).count()).toBeLessThan(100)
      await page.getByRole('searchbox', { name: 'Search in the payload' }).fill(`row ${ROWS - 1}`)
      await page.getByRole('treeitem', { name: `row ${ROWS - 1}` }).waitFor()
      await page.getByRole('button', { name: 'Raw' }).click()
      expect(await page.locator('.line-of').count()).toBeLessThan(100)
    })
  })

  it('29 lines of a payload are visible at once', async () => {
    const eventId = await stored({ rows: Array.from({ length: 40 }, (_, id) => `row ${id}`) })
    await visitPane(addressOf(eventId, 'payload'), async (page) => {
      const { y, height } = (await lines(page).nth(28).boundingBox()) ?? { y: Number.NaN, height: 0 }
      expect(y + height).toBeLessThanOrEqual(WIDE.height)
    })
  })

  it('the tree supports walking, folding, searching and copying by keyboard alone', async () => {
    const eventId = await stored({ data: { list: [1, { name: 'inner' }], other: 'x' } })
    await visitPane(addressOf(eventId), async (page) => {
      await page.locator('h2:focus').waitFor()
      const press = async (...keys: readonly string[]) => {
        for (const key of keys) await page.keyboard.press(key)
      }
      const until = async (name: string) => {
        for (let tab = 0; tab < 40; tab++) {
          await press('Tab')
          if ((await page.evaluate('document.activeElement.textContent')) === name) return
        }
        throw new Error(`no way to ${name}`)
      }
      const selected = () => page.locator('[aria-selected=true]').innerText()
      await until('Payload')
      await press('Enter')
      await lines(page).first().waitFor()
      await page.getByRole('searchbox', { name: 'Search in the payload' }).focus()
      await page.keyboard.type('NAME')
      await pane(page).getByText('1 of 1').waitFor()
      expect(await selected()).toContain('inner')
      await until('Copy path')
      await press('Enter')
      await page.getByText('Copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('$.data.list[1].name')
      await page.getByRole('tree').focus()
      await press('ArrowLeft', 'ArrowLeft')
      expect(await selected()).toContain('1 field }')
      await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
      expect(await selected()).toContain('2 fields }')
      expect(await lines(page).allInnerTexts()).toHaveLength(7)
      await press('ArrowRight', 'End')
      expect(await selected()).toContain('other')
      await press('Home')
      expect(await selected()).toContain('eventId')
    })
  })

  it('a payload is deleted after a confirmation, and the pane shows when', async () => {
    const eventId = await stored()
    await visitPane(addressOf(eventId, 'payload'), async (page) => {
      await page.getByRole('button', { name: 'Delete payload …' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await lines(page).first().waitFor()
      await page.getByRole('button', { name: 'Delete payload …' }).click()
      await expectSound(page, 'dialog')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete payload' }).click()
      await pane(page).getByText('The payload was deleted').waitFor()
      await page.getByRole('link', { name: /^Attempts/ }).click()
      await pane(page).getByText('Payload deleted by admin').waitFor()
    })
  })

  it('a payload that an attempt still needs is kept, and the dialog gives the reason', async () => {
    const eventId = await failing()
    await visitPane(addressOf(eventId, 'payload'), async (page) => {
      await page.getByRole('button', { name: 'Delete payload …' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete payload' }).click()
      await page.getByRole('dialog').getByText('Webhook event is under way').waitFor()
      await page.getByRole('checkbox', { name: 'Also end attempts' }).check()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete payload' }).click()
      await pane(page).getByText('The payload was deleted').waitFor()
    })
  })

  it('one delivery is retried', async () => {
    const eventId = await stored()
    const asked: string[] = []
    await visitPane('/', async (page) => {
      const answers = deliveriesOf({ status: 'DELIVERED', answer: '200' }, { status: 'DEAD', answer: '503' })
      await page.route('**/deliveries', (route) => route.fulfill({ json: answers }))
      await page.route('**/deliveries/*/retry', async (route) => {
        asked.push(new URL(route.request().url()).pathname)
        await route.fulfill({ status: 202, json: {} })
      })
      await page.goto(addressOf(eventId, 'deliveries'))
      await page.getByRole('link', { name: 'Deliveries 1/2' }).waitFor()
      await page.getByRole('region', { name: 'crm-1' }).getByText('Last answer: 503').waitFor()
      await pane(page).getByText('ledger does not get it: where.json.amount does not match.').waitFor()
      await page.getByRole('button', { name: 'Retry now to crm-1' }).click()
      await page.getByText('crm-1 gets the event again').waitFor()
    })
    expect(asked).toEqual([`/api/webhooks/events/payment/${eventId}/deliveries/crm-1/retry`])
  })

  it('an unknown event is reported', async () => {
    await visitPane(addressOf('nothing'), async (page) => {
      await page.getByRole('heading', { name: 'Webhook event not found' }).waitFor()
      await pane(page).getByRole('button', { name: 'Close', exact: true }).click()
      await pane(page).waitFor({ state: 'detached' })
    })
  })

  it('while the service does not answer, it reports this and keeps its content, and it continues after that', async () => {
    const eventId = await failing()
    await visitPane(
      addressOf(eventId),
      async (page) => {
        await pane(page).getByText('Size').waitFor()
        await page.route('**/deliveries', (route) => route.abort())
        await pane(page).getByText('The service does not answer.').waitFor()
        expect(await pane(page).getByText('Size').count()).toBe(1)
        await page.unroute('**/deliveries')
        await pane(page).getByRole('button', { name: 'Try again' }).click()
        await pane(page).getByText('The service does not answer.').waitFor({ state: 'detached' })
      },
      { allow: /ERR_FAILED/ },
    )
  })

  it('axe finds no violation in any part of it, and 320 pixels are wide enough', async () => {
    const eventId = await failing()
    await visitPane('/', async (page) => {
      const answers = deliveriesOf({ status: 'DELIVERED', answer: '200' }, { status: 'DEAD', answer: '503' })
      await page.route('**/deliveries', (route) => route.fulfill({ json: answers }))
      for (const tab of TABS) {
        await open(page, addressOf(eventId, tab))
        await page.getByRole('link', { name: 'Deliveries 1/2' }).waitFor()
        await expectSound(page, '.pane')
      }
    })
  })

  it('on a phone the current tab is visible, and a button leads back to the list', async () => {
    const eventId = await stored()
    await visitPane(
      addressOf(eventId, 'proof'),
      async (page) => {
        await pane(page).getByText('The call; what is signed has a color').waitFor()
        const edges = async () => {
          const box = await page.getByRole('link', { name: 'Proof', exact: true }).boundingBox()
          return box === null ? [] : [Math.round(box.x), Math.round(box.x + box.width)]
        }
        await expect.poll(async () => (await edges()).every((edge) => edge >= 0 && edge <= PHONE.width)).toBe(true)
        expect(await edges()).toHaveLength(2)
        await page.getByRole('button', { name: 'Back to the list' }).click()
        await pane(page).waitFor({ state: 'detached' })
      },
      { viewport: PHONE },
    )
  })
})
