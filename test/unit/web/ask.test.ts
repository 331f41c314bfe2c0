import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ConsoleFacts } from '../../../lib/contract/console.ts'

const FACTS = {
  user: { username: 'Alice', roles: [], authType: 'FORM', sessionExpiresAt: undefined },
  csrfToken: 'random.signature',
  demoUsers: [],
} as unknown as ConsoleFacts

const fetched = vi.fn<typeof fetch>()

/** The module as a page loads it that was rendered with these facts. */
async function load(facts: ConsoleFacts) {
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(facts) }) })
  return import('../../../web/ask.ts')
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('fetch', fetched)
  fetched.mockReset().mockImplementation(async () => new Response('{}', { status: 200 }))
})
afterEach(() => vi.unstubAllGlobals())

function sent() {
  const [path, { method, headers, body } = {}] = fetched.mock.lastCall ?? []
  return { path, method, headers: Object.fromEntries(new Headers(headers)), body }
}

it('a call without a change has no token and no body', async () => {
  const { callWithSession } = await load(FACTS)
  expect(await callWithSession('/api/auth/info')).toMatchObject({ status: 200, text: '{}' })
  expect(sent()).toEqual({
    path: '/api/auth/info',
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
  })
})

it('a call with a change sends the token of the page', async () => {
  const { callWithSession } = await load(FACTS)
  await callWithSession('/api/users', { method: 'POST', body: { username: 'b' } })
  expect(sent()).toMatchObject({
    method: 'POST',
    headers: { 'x-xsrf-token': 'random.signature', 'content-type': 'application/json' },
    body: '{"username":"b"}',
  })
})

it.each([
  ['has ended', FACTS, 401, true],
  ['lacks a right', FACTS, 403, false],
  ['never was', { ...FACTS, user: null }, 401, false],
])('detects a session that %s', async (_, facts, status, isOver) => {
  const { callWithSession, isSessionOver } = await load(facts)
  fetched.mockResolvedValue(new Response('', { status }))
  await callWithSession('/api/auth/info')
  expect(isSessionOver.value).toBe(isOver)
})
