import type { Locator, Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { payment, postPayment } from '../support/events.ts'
import { processed } from '../support/inbox.ts'
import { leaveEvents } from '../support/local-tables.ts'
import { describeInBrowser, newUser, REFUSED_CALLS, visit } from '../support/visit.ts'

const MOST_STEPS = 5

/** What a person does on a page: each click, each form that is filled and each text that is typed is a step. */
class Person {
  readonly page: Page
  steps = 0

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.steps++
    await target.first().click()
  }

  link(name: string | RegExp): Promise<void> {
    return this.click(this.page.getByRole('link', { name }))
  }

  button(name: string | RegExp): Promise<void> {
    return this.click(this.page.getByRole('button', { name }))
  }

  /** The console, by its menu. */
  async menu(name: string): Promise<void> {
    await this.click(this.page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }))
  }

  async type(...texts: readonly (readonly [Locator, string])[]): Promise<void> {
    this.steps++
    for (const [field, text] of texts) await field.fill(text)
  }

  async reads(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }
}

const refuse = () => fetch(`${inject('http')}/webhooks/stripe`, { method: 'POST', body: '{}' })
const pay = async () => {
  const sent = payment()
  await postPayment(sent)
  return sent
}

interface Task {
  /** Makes what is looked for. */
  readonly given?: () => Promise<string | undefined>
  readonly does: (person: Person, name: string) => Promise<void>
}

const TASKS: Readonly<Record<string, Task>> = {
  'why was a Stripe call refused': {
    given: () => refuse().then(() => undefined),
    async does(person) {
      await person.link('Webhooks')
      await person.menu('Refused')
      await person.click(person.page.getByRole('row').filter({ hasText: 'stripe' }).getByRole('link'))
      await person.reads('Compare the headers below with the scheme')
    },
  },
  'retry what failed for good': {
    given: () => leaveEvents(1, crypto.randomUUID()).then(() => undefined),
    async does(person) {
      await person.link('Webhooks')
      await person.menu('Needs attention')
      await person.button('Retry all …')
      await person.button(/^Count$/)
      await person.page.getByRole('button', { name: /^Start with [1-9]/ }).waitFor()
    },
  },
  'the way of one event': {
    given: () => processed(`task-${crypto.randomUUID()}`),
    async does(person, name) {
      await person.link('Webhooks')
      await person.click(person.page.locator(`[data-event$="/${name}"]`))
      await person.link(/^Attempts/)
      await person.reads('during receipt')
    },
  },
  'send a test event and see it processed': {
    async does(person) {
      await person.link('Webhooks')
      await person.button('Send test event')
      await person.click(person.page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }))
      await person.click(person.page.getByRole('dialog').getByRole('link'))
      await person.page.locator('.pane').getByText('Processed').first().waitFor()
    },
  },
  'the payment of an order': {
    given: async () => String((await pay())['orderId']),
    async does(person, name) {
      await person.link('Webhooks')
      await person.menu('Payments & orders')
      await person.type([person.page.getByRole('searchbox'), name.slice(0, -2)])
      await person.click(person.page.getByRole('row').filter({ hasText: name }).getByRole('link'))
      await person.page.getByRole('region', { name: 'Details' }).getByText('Completed').waitFor()
    },
  },
  'add a user': {
    async does(person) {
      const name = `task-${crypto.randomUUID().slice(0, 8)}`
      await person.link('Webhooks')
      await person.menu('Users')
      await person.button('Create user …')
      await person.type(
        [person.page.getByLabel('User name'), name],
        [person.page.getByLabel('Password'), 'a long enough password'],
      )
      await person.click(person.page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }))
      await person.reads(`${name} is created`)
    },
  },
  'disable a user': {
    given: () => newUser(),
    async does(person, name) {
      await person.link('Webhooks')
      await person.menu('Users')
      await person.link(name)
      await person.button('Disable …')
      await person.click(person.page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }))
      await person.page.getByRole('button', { name: 'Enable …' }).waitFor()
    },
  },
  'who disabled bob': {
    async given() {
      const name = await newUser()
      const base = inject('http')
      const headers = { authorization: `Bearer ${await tokenOf('admin')}`, 'content-type': 'application/json' }
      const { users } = (await (await fetch(`${base}/api/users?limit=200`, { headers })).json()) as {
        readonly users: readonly { readonly id: string; readonly username: string }[]
      }
      const { id } = users.find(({ username }) => username === name) ?? {}
      await fetch(`${base}/api/users/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ enabled: false }) })
      return name
    },
    async does(person, name) {
      await person.link('Webhooks')
      await person.menu('Audit trail')
      await person.type([person.page.getByRole('searchbox'), name])
      const row = person.page.getByRole('row').filter({ hasText: `Disabled ${name}` })
      expect(await row.innerText()).toMatch(/admin.*Done/s)
    },
  },
  'make an API key': {
    async does(person) {
      await person.link('Webhooks')
      await person.menu('API keys')
      await person.button(/a key …$/)
      await person.type([person.page.getByLabel('Name'), `task-${crypto.randomUUID()}`])
      await person.click(person.page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }))
      await person.reads('Copy it now')
    },
  },
  'where passkeys are added': {
    async does(person) {
      await person.link('Webhooks')
      await person.menu('admin')
      await person.page.getByRole('heading', { name: 'Passkeys' }).waitFor()
    },
  },
  'why is this token refused': {
    async does(person) {
      await person.link('Auth lab')
      await person.menu('Tokens')
      await person.type([person.page.getByRole('textbox', { name: 'Paste a token' }), 'a.b.c'])
      await person.button('Ask the service')
      await person.reads('says the service')
    },
  },
  'an attack on a login that fails': {
    async does(person) {
      await person.link('Auth lab')
      await person.menu('OAuth login')
      await person.button('Old nonce')
      await person.link(/^Play /)
      await person.button('Ada Admin')
      await person.reads('Attack stopped')
    },
  },
  'a client against faults': {
    async does(person) {
      await person.link('Test your client')
      await person.reads('/lab/too-many')
    },
  },
  'which events does the ERP lack': {
    async does(person) {
      const { page } = person
      const at = '2026-01-02T03:04:05.000'
      const state = { state: 'CLOSED', since: null, by: null, reason: null, waiting: 0, oldestAt: null, failures: 0 }
      const rest = { lastDeliveredAt: null, lastAnswer: null, day: null, publicKeys: null }
      const erp = { name: 'erp', to: 'http', target: 'erp.example', ...state, ...rest }
      const event = { source: 'shopify', eventId: 'lost-1', type: 'orders/paid', receivedAt: at, summary: null }
      const dead = { destination: 'erp', status: 'DEAD', attempts: 9, dueAt: null, deliveredAt: null, answer: '503' }
      await page.route('**/api/destinations{,?*}', (route) => route.fulfill({ json: { destinations: [erp] } }))
      await page.route('**/api/destinations/erp/deliveries?state=DEAD*', (route) =>
        route.fulfill({ json: { deliveries: [{ ...event, ...dead, history: [] }], nextCursor: null } }),
      )
      await person.link('Webhooks')
      await person.menu('Destinations')
      await person.link('erp')
      await person.link('Deliveries')
      await person.reads('lost-1')
    },
  },
  'read an endpoint and try it': {
    async does(person) {
      await person.link('API reference')
      await person.link('GET /api/public/hello')
      const section = person.page.locator('#publicHello')
      await person.click(section.getByRole('button', { name: /^Try it/ }))
      await person.click(section.getByRole('button', { name: 'Send' }))
      const tried = section.getByRole('region', { name: 'Try GET /api/public/hello' })
      await tried.getByText('200', { exact: true }).waitFor()
    },
  },
}

describeInBrowser('a person finds, from the home page and without an address', () => {
  it.each(Object.entries(TASKS))(`in at most ${MOST_STEPS} steps: %s`, async (_, { given, does }) => {
    const name = (await given?.()) ?? ''
    const allow = new RegExp(`${REFUSED_CALLS.source}|^elsewhere: http://127\\.0\\.0\\.1:`)
    await visit({ at: '/', as: 'admin', allow, viewport: { width: 1440, height: 900 } }, async (page) => {
      const person = new Person(page)
      await does(person, name)
      expect(person.steps).toBeLessThanOrEqual(MOST_STEPS)
    })
  })
})
