import { expect, inject, it } from 'vitest'
import { expectSound } from '../support/axe.ts'
import { describeInBrowser, visit } from '../support/visit.ts'

/** What a browser logs about the faults of the lab. */
const REFUSED = /^(?:4\d\d: http:\/\/[^/]+\/lab\/|console: Failed to load resource: .* 4\d\d )/

/** The part of a browser that a client in a page uses; this file is checked without the types of one. */
interface Win {
  fetch(url: string, init: object): Promise<Response>
}

interface Client {
  /** Whether it logs in again when an answer says that this helps. */
  readonly isGood: boolean
  readonly name: string
}

/** A client in a page: it meets a revoked token, and the end of its session. Clients of every fault: test/api/lab.test.ts. */
async function browserClient({ isGood, name }: Client): Promise<void> {
  const { fetch } = globalThis as unknown as Win
  const body = 'username=ldapuser&password=ldapuser-demo'
  const clientOf = (fault: string) => (path: string, init: { method?: string; body?: string; headers?: object }) =>
    fetch(`/lab/${fault}${path}`, {
      ...init,
      redirect: 'manual',
      // A login that comes with the cookie of a session has to prove that it is a page's own.
      credentials: fault === 'session-ends' ? 'same-origin' : 'omit',
      headers: {
        'X-Client-Name': name,
        ...(init.body && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...init.headers,
      },
    })

  async function withToken(): Promise<void> {
    const ask = clientOf('revoked')
    const logIn = async () =>
      (await ask('/api/auth/login', { method: 'POST', body })).json() as Promise<{ token: string }>
    let { token } = await logIn()
    for (let step = 0; step < (isGood ? 2 : 4); step++) {
      const { headers } = await ask('/api/auth/info', { headers: { Authorization: `Bearer ${token}` } })
      if (isGood && headers.get('WWW-Authenticate')?.startsWith('Bearer')) token = (await logIn()).token
    }
  }

  async function withSession(): Promise<void> {
    const ask = clientOf('session-ends')
    const logIn = () => ask('/login', { method: 'POST', body })
    await logIn()
    for (let step = 0; step < 2; step++) {
      const { status } = await ask('/api/auth/info', {})
      if (status === 401 && isGood) await logIn()
    }
  }

  await Promise.all([withToken(), withSession()])
}

describeInBrowser('http-41 a client in a browser', () => {
  it.each([
    ['good', 'passed'],
    ['bad', 'failed'],
  ])('the %s one has %s, and the page shows this without JavaScript', async (variant, verdict) => {
    const name = `browser-${variant}`
    await visit({ at: '/lab', allow: REFUSED }, async (page) => {
      await page.evaluate(browserClient, { isGood: variant === 'good', name })
    })
    await visit({ at: '/lab', javaScriptEnabled: false }, async (page) => {
      const report = page.getByRole('region', { name })
      expect(await report.locator('summary .badge').allInnerTexts()).toEqual([verdict, verdict])
      await report.getByText('revoked', { exact: true }).click()
      expect(await report.getByText('token 1: 401, REVOKED').first().isVisible()).toBe(true)
    })
  })

  it('the page has no axe violation, and shows the base URL of a fault in the form that a client needs', async () => {
    await visit({ at: '/lab' }, async (page) => {
      await page.locator('summary').last().click()
      await expectSound(page)
      expect(await page.getByText(`${inject('http')}/lab/too-many`, { exact: true }).count()).toBe(1)
    })
  })
})
