import { type Signal, signal } from '@preact/signals'
import type { ConsoleFacts } from '../../lib/contract/console.ts'
import type { Route } from '../../lib/endpoints/route.ts'
import { basicCredentials, type Call, type Exchange } from '../call.ts'
import { type Caller, demoCallers, NOBODY } from '../callers/caller.ts'
import { type PasswordWay, type Way, waysOf } from '../callers/ways.ts'
import type { LogIn } from '../jwt/log-in.ts'
import type { Material } from './breaks.ts'
import { expectedStatus } from './expectation.ts'
import { type SampleCall, sampleOf } from './samples.ts'

/** An endpoint and a way to call it. */
export interface Cell {
  readonly name: string
  readonly route: Route
  readonly way: Way
}

/** The result of a try, with the expected one. */
export type TryOutcome =
  | { readonly kind: 'answered'; readonly expected: number; readonly exchange: Exchange }
  | { readonly kind: 'failed'; readonly reason: string }

export interface TryProgress {
  readonly done: number
  readonly total: number
}

/** The playground's access to the service. */
export interface Reach {
  readonly exchange: (call: Call) => Promise<Exchange>
  readonly logIn: (username: string, password: string) => Promise<LogIn>
  /** Called when the session of the page has ended. */
  readonly sessionEnded: () => void
}

const AT_ONCE = 4

export type Playground = ReturnType<typeof createPlayground>

/** Every endpoint with every way, the caller, and the results; tokens and passwords are kept nowhere else. */
export function createPlayground(facts: ConsoleFacts, { exchange, logIn, sessionEnded }: Reach) {
  const callers: Readonly<Record<PasswordWay, Signal<Caller>>> = {
    bearer: signal(demoCallers('bearer', facts)[0] ?? NOBODY),
    database: signal(demoCallers('database', facts)[0] ?? NOBODY),
    directory: signal(demoCallers('directory', facts)[0] ?? NOBODY),
  }
  const outcomes = signal<ReadonlyMap<string, TryOutcome>>(new Map())
  const progress = signal<TryProgress | undefined>(undefined)
  const ways = waysOf(facts.accepts)
  const rows = Object.entries(facts.routes).filter(([name, route]) => sample(name, route) !== undefined)
  const tokens = new Map<string, Promise<LogIn>>()

  function sample(name: string, route: Route): SampleCall | undefined {
    const { username, password } = callers.bearer.value
    const login = username === '' ? undefined : { username, password }
    return sampleOf(name, route, { login, isFromProvider: facts.user?.authType === 'OAuth2' })
  }

  function isReady(way: Way): boolean {
    if (way === 'none') return true
    return way === 'session' ? facts.user !== null : callers[way].value.username !== ''
  }

  function rolesOf(way: Way): readonly string[] {
    if (way === 'none') return []
    if (way === 'session') return facts.user?.roles ?? []
    const { role } = callers[way].value
    return role === null ? [] : [role]
  }

  function expected({ name, route, way }: Cell): number {
    return expectedStatus({ route, way, roles: rolesOf(way) }, sample(name, route)?.granted ?? 200, facts)
  }

  /** One token per caller, until the user leaves the page; a refused login is tried again. */
  async function token(): Promise<LogIn> {
    const { username, password } = callers.bearer.value
    const key = JSON.stringify([username, password])
    const found = tokens.get(key) ?? logIn(username, password)
    tokens.set(key, found)
    const result = await found
    if ('refusal' in result) tokens.delete(key)
    return result
  }

  /** Whether the material of a break is available. */
  function hasMaterial(from: Material): boolean {
    if (from === 'token') return isReady('bearer')
    return from === 'session' ? facts.user !== null : facts.demoTokens !== null
  }

  /** The token that a break starts from, none for a session, or why there is none. */
  async function material(from: Material): Promise<string | { readonly refusal: string }> {
    if (from === 'session') return ''
    if (from !== 'token') return facts.demoTokens?.[from] ?? ''
    const login = await token()
    return 'token' in login ? login.token : login
  }

  async function run(cell: Cell): Promise<TryOutcome> {
    const outcome = await attempt(cell)
    if (cell.way === 'session' && isRefused(outcome)) sessionEnded()
    outcomes.value = new Map(outcomes.value).set(cellKeyOf(cell), outcome)
    return outcome
  }

  async function attempt(cell: Cell): Promise<TryOutcome> {
    const { way } = cell
    const login = way === 'bearer' ? await token() : undefined
    if (login && 'refusal' in login) return { kind: 'failed', reason: `No token: ${login.refusal}` }
    try {
      const authorization = login ? `Bearer ${login.token}` : basicOf(way)
      return { kind: 'answered', expected: expected(cell), exchange: await exchange(callOf(cell, authorization)) }
    } catch {
      return { kind: 'failed', reason: 'Nobody answers.' }
    }
  }

  function basicOf(way: Way): string | undefined {
    if (way !== 'database' && way !== 'directory') return undefined
    const { username, password } = callers[way].value
    return basicCredentials(username, password)
  }

  function callOf({ name, route, way }: Cell, authorization: string | undefined): Call {
    const { parameters = {}, query = '', content } = sample(name, route) ?? { content: { headers: {} } }
    const withSession = way === 'session'
    return {
      method: route.method,
      path: `${route.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''))}${query}`,
      headers: {
        ...content.headers,
        ...(authorization !== undefined && { authorization }),
        ...(withSession && route.method !== 'GET' && { 'x-xsrf-token': facts.csrfToken }),
      },
      body: content.body,
      withSession,
    }
  }

  /** Tries every cell for which there is a caller, a few at a time. */
  async function runAll(): Promise<void> {
    const waiting = rows.flatMap(([name, route]) => ways.filter(isReady).map((way) => ({ name, route, way })))
    const total = waiting.length
    outcomes.value = new Map()
    progress.value = { done: 0, total }
    async function work(): Promise<void> {
      for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
        await run(cell)
        progress.value = { done: (progress.value?.done ?? 0) + 1, total }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    progress.value = undefined
  }

  return {
    facts,
    ways,
    rows,
    callers,
    outcomes,
    progress,
    isReady,
    expected,
    token,
    hasMaterial,
    material,
    run,
    runAll,
    exchange,
  }
}

/** Whether a session was refused that should have counted. */
function isRefused(outcome: TryOutcome): boolean {
  return outcome.kind === 'answered' && outcome.exchange.status === 401 && outcome.expected !== 401
}

export function cellKeyOf({ name, way }: Pick<Cell, 'name' | 'way'>): string {
  return `${name} ${way}`
}

export function isAsExpected(outcome: TryOutcome): boolean {
  return outcome.kind === 'answered' && outcome.exchange.status === outcome.expected
}
