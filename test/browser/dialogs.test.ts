import { globSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectReadable, expectSound, SIZES } from '../support/axe.ts'
import { payment, postPayment } from '../support/events.ts'
import { atLocalhost } from '../support/localhost.ts'
import { describeInBrowser, newUser, visit } from '../support/visit.ts'

interface Row {
  /** The file that makes the dialog. */
  readonly by: string
  readonly at: string
  /** The name of the button that opens it, or what else does. */
  readonly opens: string | ((page: Page) => Promise<void>)
  /** What is done in it before it is looked at. */
  readonly acts?: (page: Page) => Promise<void>
  /** Answers of the API, by the last part of their path. */
  readonly answers?: Readonly<Record<string, object>>
}

const AT = '2026-01-02T03:04:05.000'
const LONG = 'a-name-without-any-blank-'.repeat(2)
const CREDENTIAL = { id: 'c', name: LONG, createdAt: AT, lastUsedAt: null }
const DESTINATION = {
  ...{
    name: LONG,
    to: 'http',
    target: 'crm.example',
    state: 'CLOSED',
    since: null,
    by: null,
    reason: null,
    waiting: 0,
  },
  ...{ failures: 0, lastAnswer: null, oldestAt: null, lastDeliveredAt: null, day: null, publicKeys: null },
}
const KEY = { ...CREDENTIAL, sources: null, createdBy: 'admin', expiresAt: AT }
const USER = { id: 'u', username: LONG, role: 'ROLE_USER', enabled: true, createdAt: AT, lastLoginAt: null }

const NONE = { sessions: { sessions: [] }, passkeys: { passkeys: [] }, keys: { keys: [], nextCursor: null } }

const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

const users = (name: string): Row => ({
  by: 'web/pages/users.tsx',
  at: '/console/users?open=u',
  opens: `${name} …`,
  answers: { users: { users: [USER], nextCursor: null }, ...NONE },
})

const replay = (at: string, opens: string): Row => ({ by: 'web/new-replay-dialog.tsx', at, opens })

const caller = (at: string, label: string): Row => ({
  by: 'web/caller-choice.tsx',
  at,
  opens: async (page) => {
    await page.getByRole('combobox', { name: label }).focus()
    await page.getByRole('combobox', { name: label }).selectOption('another user …')
  },
})

const DIALOGS: Readonly<Record<string, Row>> = {
  'a test event': {
    by: 'web/events/test-events.tsx',
    at: '/console/webhooks',
    opens: 'Send test event',
    async acts(page) {
      await inDialog(page, 'Send').click()
      await page.getByRole('dialog').getByText('200', { exact: true }).waitFor()
    },
  },
  'the keys': { by: 'web/events/keys.tsx', at: '/console/webhooks', opens: '? all keys' },
  'the counts': { by: 'web/events/status-totals.tsx', at: '/console/webhooks?range=7d', opens: 'Counts as a table' },
  'a view': { by: 'web/pages/webhooks.tsx', at: '/console/webhooks?source=payment', opens: 'Save view …' },
  'a replay of a list': {
    ...replay('/console/webhooks?status=FAILED', 'Retry all …'),
    acts: async (page) => {
      await inDialog(page, 'Count').click()
      await page.getByRole('dialog').getByText(/match/).waitFor()
    },
  },
  'a replay': replay('/console/replays', 'Retry failed events …'),
  'a replay to a destination': {
    ...replay(`/console/deliveries?destination=${LONG}`, 'Send these again …'),
    answers: { deliveries: { deliveries: [], nextCursor: null } },
  },
  'the deletion of a payload': {
    by: 'web/events/payload.tsx',
    at: '/console/webhooks?event=payment%2Fdialogs&tab=payload',
    opens: 'Delete payload …',
  },
  'a switch of a destination': {
    by: 'web/pages/destinations.tsx',
    at: `/console/destinations?open=${LONG}`,
    opens: 'Disable …',
    answers: { destinations: { destinations: [DESTINATION] } },
  },
  'a new user': users('Create user'),
  'another role': users('Change role'),
  'another password': users('Set password'),
  'a disabled user': users('Disable'),
  'the deletion of a user': users('Delete'),
  'the end of all sessions': users('Log out everywhere'),
  'the removal of a passkey': {
    ...users(`Remove ${LONG}`),
    by: 'web/credential-steps.tsx',
    answers: { ...users('').answers, passkeys: { passkeys: [CREDENTIAL] } },
  },
  'a new key': { by: 'web/pages/keys.tsx', at: '/console/keys', opens: 'Create a key …' },
  'a key that is created': {
    by: 'web/pages/keys.tsx',
    at: '/console/keys',
    opens: 'Create a key …',
    async acts(page) {
      await page.getByLabel('Name').fill('of a dialog')
      await inDialog(page, 'Create').click()
      await page.getByText('Copy it now').waitFor()
    },
  },
  'the deletion of a key': {
    by: 'web/pages/keys.tsx',
    at: '/console/keys?open=c',
    opens: 'Delete …',
    answers: { keys: { keys: [KEY], nextCursor: null } },
  },
  'another password of one’s own': { by: 'web/pages/account.tsx', at: '/console/account', opens: 'Change password …' },
  'STOMP and gRPC': { by: 'web/lab/channels.tsx', at: '/console/playground', opens: 'STOMP and gRPC …' },
  'another caller of an endpoint': caller('/console/playground', 'JWT: caller'),
  'another owner of a token': caller('/console/token', 'Token for: caller'),
}

/** Their accounts are at an address with a name. */
const AT_LOCALHOST: Readonly<Record<string, Row>> = {
  'a new passkey': { by: 'web/pages/account.tsx', at: '/console/account', opens: 'Add a passkey …' },
}

const focusIsIn = (page: Page, selector: string) =>
  page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)

async function expectSoundDialog({ at, opens, acts, answers = {} }: Row, as: string): Promise<void> {
  await visit({ as, viewport: SIZES[0] ?? null }, async (page) => {
    for (const [name, json] of Object.entries(answers))
      await page.route(new RegExp(`/api/(?:.*/)?${name}(?:\\?|$)`), (route) => route.fulfill({ json }))
    await page.goto(at)
    if (typeof opens === 'string') await page.getByRole('button', { name: opens, exact: true }).first().click()
    else await opens(page)
    await page.getByRole('dialog').waitFor()
    expect(await focusIsIn(page, 'dialog *')).toBe(true)
    await acts?.(page)
    await expectSound(page, 'dialog')
    await expectReadable(page, 'dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focusIsIn(page, 'body')).toBe(false)
  })
}

describeInBrowser('every dialog takes the focus, is whole in each size and color, and leaves with Escape', () => {
  beforeAll(() => postPayment(payment({ eventId: 'dialogs' })))

  it.each(Object.entries(DIALOGS))('%s', (_, row) => expectSoundDialog(row, 'admin'))

  describe('at a name', () => {
    atLocalhost()

    it.each(Object.entries(AT_LOCALHOST))('%s', async (_, row) => expectSoundDialog(row, await newUser()))
  })

  it('and all of them are here', () => {
    const rows = Object.values({ ...DIALOGS, ...AT_LOCALHOST })
    const places = globSync('web/**/*.tsx').filter((file) => !file.startsWith('web/ui/'))
    const missing = places.filter((file) => {
      const made = readFileSync(file, 'utf8').match(/<(?:Modal|Dialog|Action)\s/g)?.length ?? 0
      return made > rows.filter(({ by }) => by === file).length
    })
    expect(missing).toEqual([])
  })
})
