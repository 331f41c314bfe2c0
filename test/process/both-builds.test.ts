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
  return (await (await fetch(`${ready.http}/api/auth/login`, { method: 'POST', body })).json()).token
}

const COMPARED = [
  'content-type',
  'cache-control',
  'www-authenticate',
  'allow',
  'retry-after',
  'location',
  'set-cookie',
  'vary',
]

/** What is another at each call or in each run. */
const OWN =
  /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|127\.0\.0\.1:\d+|localhost:\d+|\d{10,}|[\w-]{40,}/g

async function answerOf(index: number, { method, path }: Route, isAdmin: boolean): Promise<unknown> {
  const stack = stacks[index] as Stack
  const headers = { 'content-type': 'application/json', ...(isAdmin && { authorization: `Bearer ${tokens[index]}` }) }
  const url = stack.ready.http + path.replaceAll(/\{\w+\}/g, 'x')
  const answer = await fetch(url, { method, headers, redirect: 'manual', ...(method !== 'GET' && { body: '{}' }) })
  const masked = (text: string) => text.replaceAll(OWN, '…')
  const shown = COMPARED.map((name) => [name, masked(answer.headers.get(name) ?? '')])
  return { status: answer.status, headers: Object.fromEntries(shown), body: masked(await answer.text()) }
}

it.each(Object.entries<Route>(ROUTES))('%s answers from either build alike', async (_, route) => {
  for (const isAdmin of [false, true]) {
    const [local, deployed] = [await answerOf(0, route, isAdmin), await answerOf(1, route, isAdmin)]
    expect(local).toEqual(deployed)
  }
})
