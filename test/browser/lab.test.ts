import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violationsInTheDark, violationsOf } from '../support/axe.ts'
import { chromiumPath } from '../support/chromium.ts'
import { serviceOfTests } from '../support/console-service.ts'
import { butRefusals, visit } from '../support/visit.ts'

const path = chromiumPath()

/** The part of a browser that a client in a page uses; this file is checked without the types of one. */
interface Win {
  fetch(url: string, init: object): Promise<Response>
}

/** A client in a page: the good one does what an answer says, the bad one only tries again. */
async function browserClient({ variant, name }: { readonly variant: string; readonly name: string }): Promise<void> {
  const { fetch } = globalThis as unknown as Win
  const isGood = variant === 'good'
  const credentials = 'username=ldapuser&password=ldapuser-demo'
  const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

  function clientOf(fault: string) {
    let token: string | undefined
    const ask = (path: string, init: { method?: string; body?: string; headers?: object }) =>
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
    async function logIn(): Promise<void> {
      const answer = await ask('/api/auth/login', { method: 'POST', body: credentials })
      token = ((await answer.json()) as { readonly token: string }).token
    }
    const beginSession = () => ask('/login', { method: 'POST', body: credentials })
    const isOver = () => JSON.parse(atob((token ?? '').split('.')[1] ?? '')).exp * 1000 < Date.now()
    async function call(): Promise<Response> {
      if (token === undefined || (!isGood && fault === 'clock-skew' && isOver())) await logIn()
      return ask('/api/auth/info', { headers: { Authorization: `Bearer ${token}` } })
    }
    return { ask, logIn, beginSession, call }
  }

  /** The seconds before each call, where one call tells nothing. */
  const BEFORE: Readonly<Record<string, readonly number[]>> = { 'expires-soon': [0, 3], 'clock-skew': [0, 0] }

  /** What an answer says to do before the call is repeated; undefined where that is no use. */
  function remedyFor({ status, headers }: Response, logIn: () => Promise<void>): (() => Promise<unknown>) | undefined {
    if (status === 401) return headers.get('WWW-Authenticate')?.startsWith('Bearer') ? logIn : undefined
    return status === 429 || status === 503 ? () => pause(Number(headers.get('Retry-After'))) : undefined
  }

  async function good(fault: string): Promise<void> {
    const { logIn, call } = clientOf(fault)
    for (const seconds of BEFORE[fault] ?? [0]) {
      await pause(seconds)
      const remedy = remedyFor(await call(), logIn)
      await remedy?.()
      if (remedy) await call()
    }
  }

  async function bad(fault: string): Promise<void> {
    const { call } = clientOf(fault)
    for (let step = 0; step < 4; step++) {
      if (step === 2 && fault === 'expires-soon') await pause(3)
      await call()
    }
  }

  async function withSession(): Promise<void> {
    const { ask, beginSession } = clientOf('session-ends')
    await beginSession()
    for (let step = 0; step < 2; step++) {
      const { status } = await ask('/api/auth/info', {})
      if (status === 401 && isGood) await beginSession()
    }
  }

  const faults = ['expires-soon', 'clock-skew', 'rotated-key', 'revoked', 'too-many', 'unavailable', 'wrong-challenge']
  await Promise.all([...faults.map(isGood ? good : bad), withSession()])
}

describe.skipIf(!path)('http-41 a client in a browser', () => {
  const service = serviceOfTests(path)

  const openLab = (run: (page: Page) => Promise<void>, options: object = {}) =>
    visit(service().browser, { baseURL: service().base, ...options }, run)

  it.each([
    ['good', 'passed'],
    ['bad', 'failed'],
  ])('the %s one has %s everywhere, and the page shows this without JavaScript', async (variant, verdict) => {
    const name = `browser-${variant}`
    await openLab(async (page) => {
      await page.goto('/lab')
      await page.evaluate(browserClient, { variant, name })
    })
    const complaints = await openLab(
      async (page) => {
        await page.goto('/lab')
        const report = page.getByRole('region', { name })
        expect(await report.locator('summary .badge').allInnerTexts()).toEqual(Array(8).fill(verdict))
        await report.getByText('revoked', { exact: true }).click()
        expect(await report.getByText('token 1: 401, REVOKED').first().isVisible()).toBe(true)
      },
      { javaScriptEnabled: false },
    )
    expect(complaints).toEqual([])
  })

  it.each([1440, 390, 320])(
    'the page has no axe violation at %i pixels, and does not scroll sideways',
    async (width) => {
      const complaints = await openLab(
        async (page) => {
          await page.goto('/lab')
          await page.getByText('rotated-key', { exact: true }).last().click()
          expect(await violationsOf(page)).toEqual([])
          expect(await violationsInTheDark(page)).toEqual([])
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        },
        { viewport: { width, height: 900 }, bypassCSP: true },
      )
      expect(butRefusals(complaints)).toEqual([])
    },
  )

  it('the page shows the base URL of a fault in the form that a client needs', async () => {
    await openLab(async (page) => {
      await page.goto('/lab')
      expect(await page.getByText(`${service().base}/lab/too-many`, { exact: true }).count()).toBe(1)
    })
  })
})
