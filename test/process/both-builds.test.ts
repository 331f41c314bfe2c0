import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROUTES } from '../../lib/endpoints/index.ts'
import type { Route } from '../../lib/endpoints/route.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'

/** What a local run serves, and the bundles that are deployed. */
const RUNS = [[], ['--strict']] as const

let stacks: readonly Stack[] = []
let tokens: readonly string[] = []

beforeAll(async () => {
  for (const options of RUNS) {
    const settings = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' }
    stacks = [...stacks, await startStack(settings, [], options)]
  }
  tokens = await Promise.all(stacks.map(tokenAt))
}, 300_000)
afterAll(() => Promise.all(stacks.map((stack) => stack.stop())))

async function tokenAt({ ready }: Stack): Promise<string> {
  const { username = '', password = '' } = ready.users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
  const body = new URLSearchParams({ username, password })
  const answer = await fetch(`${ready.http}/api/auth/login`, { method: 'POST', body })
  return ((await answer.json()) as { readonly token: string }).token
}

/** Their answers depend on what was called before, and when. */
const LIVE: readonly Route[] = [ROUTES.status, ROUTES.auditTrail, ROUTES.webhookCounts]

const COMPARED = ['content-type', 'cache-control', 'www-authenticate', 'allow', 'retry-after', 'location']

/** What is another at each call, in each run, or at each gateway. */
const OWN =
  /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|127\.0\.0\.1:\d+|localhost:\d+|\d{10,}|[\w-]{40,}|[\w-]{22}\.[\w-]+|[\w-]{22}\.…/g

async function answerOf(index: number, route: Route, isAdmin: boolean): Promise<unknown> {
  const { method, path } = route
  const stack = stacks[index] as Stack
  const headers = { 'content-type': 'application/json', ...(isAdmin && { authorization: `Bearer ${tokens[index]}` }) }
  const url = stack.ready.http + path.replaceAll(/\{\w+\}/g, 'x')
  const answer = await fetch(url, { method, headers, redirect: 'manual', ...(method !== 'GET' && { body: '{}' }) })
  const masked = (text: string) =>
    text.replace('application/json; charset=utf-8', 'application/json').replaceAll(OWN, '…')
  const shown = COMPARED.map((name) => [
    name,
    masked(answer.headers.get(`x-amzn-remapped-${name}`) ?? answer.headers.get(name) ?? ''),
  ])
  const body = masked(await answer.text())
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])
  return { status: answer.status, headers: Object.fromEntries(shown), body: LIVE.includes(route) ? '' : body, cookies }
}

it.each(Object.entries<Route>(ROUTES))('%s answers from either build alike', async (_, route) => {
  for (const isAdmin of [false, true]) {
    const [local, deployed] = [await answerOf(0, route, isAdmin), await answerOf(1, route, isAdmin)]
    expect(local).toEqual(deployed)
  }
})
