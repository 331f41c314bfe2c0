import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { describe, expect } from 'vitest'
import { tokenOf } from './accounts.ts'
import { CookieClient } from './browser-client.ts'
import { chromiumPath, launch } from './chromium.ts'
import { call } from './client.ts'
import { complaintsOf } from './complaints.ts'
import { postJson } from './events.ts'
import { served } from './served.ts'

const path = chromiumPath()

/** Tests that need a browser. */
export const describeInBrowser = describe.skipIf(path === undefined)

let started: Promise<Browser> | undefined

/** A context in the one browser of a worker, which ends with it. */
export async function newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
  started ??= launch(path ?? '')
  const browser = await started
  return browser.newContext(options)
}

export interface Visit extends BrowserContextOptions {
  /** The address to open; without one, the page is blank. */
  readonly at?: string
  /** A user, who is logged in; without one, nobody is. */
  readonly as?: string
  /** Which complaints of the browser are expected. */
  readonly allow?: RegExp
}

/** Calls of the API that are made to be refused, which a browser logs in any case. */
export const REFUSED_CALLS =
  /^(?:4\d\d: http:\/\/[^/]+\/api\/|console: Failed to load resource: the server responded .* 4\d\d )/

/**
 * Visits the service in a context of its own. Afterwards the browser may have complained of nothing but what is allowed.
 * @throws the error of `run`, with what the page showed then
 */
export async function visit(
  { at, as, allow = /^$/, ...options }: Visit,
  run: (page: Page, context: BrowserContext) => Promise<unknown>,
): Promise<void> {
  const base = served('http')
  const context = await newContext({ baseURL: base, ...options })
  context.setDefaultTimeout(20_000)
  const complaints = complaintsOf(context, base)
  const page = await context.newPage()
  const waiting = new Set<Request>()
  pending.set(page, waiting)
  page.on('request', (request) => waiting.add(request))
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  try {
    if (as !== undefined) await context.addCookies(await sessionOf(as))
    if (at !== undefined) await (options.javaScriptEnabled === false ? page.goto(at) : open(page, at))
    await run(page, context)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(complaints.filter((complaint) => !allow.test(complaint))).toEqual([])
  } catch (error) {
    if (error instanceof Error) error.message += await shownBy(page, complaints)
    throw error
  } finally {
    await context.close()
  }
}

async function shownBy(page: Page, complaints: readonly string[]): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 1000 }).catch(String)
  return `\n${page.url()} showed:\n${text.slice(0, 3000)}\nand the browser complained of:\n${complaints.join('\n')}\n`
}

/** For so many milliseconds a session is new enough for all that asks for a login of the last five minutes. */
const NEW_MS = 120_000

const sessions = new Map<string, { readonly at: number; readonly cookies: ReturnType<BrowserContext['cookies']> }>()

/** The cookies of a session, the same for many tests: they leave it open. */
function sessionOf(username: string) {
  const key = `${username} at ${served('http')}`
  const known = sessions.get(key)
  const at = performance.now()
  if (known && at - known.at < NEW_MS) return known.cookies
  const cookies = newSession(username)
  sessions.set(key, { at, cookies })
  return cookies
}

async function newSession(username: string) {
  const client = new CookieClient()
  const { headers } = await client.login(username, passwordOf(username))
  if (headers['location'] !== '/') throw new Error(`${username} cannot log in: ${headers['location']}`)
  const { hostname: domain } = new URL(served('http'))
  const rest = { domain, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }
  return [...client.cookies].map(([name, value]) => ({ name, value, ...rest }))
}

const passwordOf = (username: string) => `${username}-demo`

/** Makes a user of the database, for one test. */
export async function newUser(role = 'ROLE_USER'): Promise<string> {
  const username = `user-${crypto.randomUUID().slice(0, 8)}`
  const body = { username, password: passwordOf(username), role }
  const { status, text } = await call(
    '/api/users',
    postJson(body, { authorization: `Bearer ${await tokenOf('admin')}` }),
  )
  if (status !== 201) throw new Error(`no user: ${status} ${text}`)
  return username
}

/** Logs in by the form, and waits for the page that answers. */
export async function logIn(page: Page, username = 'admin', password = passwordOf(username)): Promise<void> {
  await page.goto('/login')
  await fillLogin(page, username, password)
}

/** Logs in on the login page that is shown, and waits for the page that answers. */
export async function fillLogin(page: Page, username = 'admin', password = passwordOf(username)): Promise<void> {
  await page.getByRole('textbox', { name: 'User name' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  const answered = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await answered
}

/** The requests of a page that wait for an answer. */
const pending = new WeakMap<Page, Set<Request>>()

/** Goes to a page and waits until its script has all that it loads at once: all is answered, and drawn. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const isIdle = () => (pending.get(page)?.size ?? 0) === 0
  const drawn = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))`
  await expect
    .poll(
      async () => {
        const wasIdle = isIdle()
        await page.evaluate(drawn)
        const waiting = [...(pending.get(page) ?? [])].map((request) => request.url())
        return wasIdle && isIdle() ? 'ready' : `waiting ${waiting}`
      },
      { interval: 10, message: `${address} loads` },
    )
    .toBe('ready')
}
