import { type Signal, signal } from '@preact/signals'
import { isInProfile, PROFILES, type Profile } from '../../lib/auth/profile.ts'
import type { ConsoleFacts } from '../../lib/contract/console.ts'
import { ROUTES, SAMPLE_REQUESTS } from '../../lib/contract/gen/endpoints.ts'
import { plainRequest, type Route, type SampleRequest } from '../../lib/contract/route.ts'
import type { Role } from '../../lib/users/role.ts'
import { basicCredentials, type Call, type Exchange, formBody, JSON_HEADERS } from '../call.ts'
import {
  type AuthMethod,
  authMethodsOf,
  type Caller,
  demoCallers,
  NOBODY,
  type PasswordMethod,
  STORES,
} from '../callers.ts'
import type { LogIn } from '../token/calls.ts'
import { type Attack, dueRefusal, isRefusedSo, type Material } from './attacks.ts'
import { type Expectation, expectationOf } from './expectation.ts'

/** An endpoint and a way to call it. */
export interface Cell {
  readonly name: string
  readonly route: Route
  readonly auth: AuthMethod
}

/** The result of a try, and whether it is as documented. */
export type TryOutcome =
  | { readonly kind: 'answered'; readonly isDue: boolean; readonly exchange: Exchange }
  | { readonly kind: 'failed'; readonly reason: string }

export interface TryProgress {
  readonly done: number
  readonly total: number
}

/** How the page reaches the service. */
export interface LabActions {
  readonly exchange: (call: Call) => Promise<Exchange>
  readonly logIn: (username: string, password: string) => Promise<LogIn>
  /** Called when the session of the page has ended. */
  readonly sessionEnded: () => void
}

const AT_ONCE = 4

export type Lab = ReturnType<typeof createLab>

/** Every endpoint with every way, the caller, and the results; tokens and passwords are kept nowhere else. */
export function createLab(facts: ConsoleFacts, { exchange, logIn, sessionEnded }: LabActions) {
  const callers: Readonly<Record<PasswordMethod, Signal<Caller>>> = {
    bearer: signal(demoCallers('bearer', facts)[0] ?? NOBODY),
    database: signal(demoCallers('database', facts)[0] ?? NOBODY),
    directory: signal(demoCallers('directory', facts)[0] ?? NOBODY),
  }
  const outcomes = signal<ReadonlyMap<string, TryOutcome>>(new Map())
  const progress = signal<TryProgress | undefined>(undefined)
  const authMethods = authMethodsOf(facts.accepts)
  const running = facts.profile as Profile
  /** The endpoints of the API in all profiles. */
  const allRows = Object.entries<Route>(ROUTES).filter(([name, route]) => sample(name, route, running) !== undefined)
  const rows = allRows.filter(([, route]) => isInProfile(route, running))
  const tokens = new Map<string, Promise<LogIn>>()

  function sample(name: string, route: Route, profile: Profile): SampleCall | undefined {
    const { username, password } = callers.bearer.value
    const login = username === '' ? undefined : { username, password, isKnown: isKnownIn(profile) }
    return sampleOf(name, route, { login, isFromProvider: facts.user?.authType === 'OAuth2' })
  }

  /** Whether a profile asks the store of the caller; that of a typed one is not known. */
  function isKnownIn(profile: Profile): boolean {
    const demo = facts.demoUsers.find(({ username }) => username === callers.bearer.value.username)
    const stores: readonly string[] = PROFILES[profile].stores
    return demo === undefined || stores.includes(STORES[demo.store])
  }

  function isReady(auth: AuthMethod): boolean {
    if (auth === 'none') return true
    return auth === 'session' ? facts.user !== null : callers[auth].value.username !== ''
  }

  function rolesOf(auth: AuthMethod): readonly Role[] {
    if (auth === 'none') return []
    const roles = auth === 'session' ? (facts.user?.roles ?? []) : [callers[auth].value.role]
    return roles.filter((role) => role !== null) as readonly Role[]
  }

  /** What the running profile, or another one, has to answer. */
  function expected({ name, route, auth }: Cell, profile = running): Expectation {
    const granted = sample(name, route, profile)?.granted ?? 200
    const { permissions } = facts
    return expectationOf({ route, auth, roles: rolesOf(auth) }, granted, { profile, permissions })
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

  /** Whether there is what an attack starts from. */
  function hasMaterial(from: Material): boolean {
    if (from === 'token') return isReady('bearer')
    return from === 'session' ? facts.user !== null : facts.demoTokens !== null
  }

  /** The token that an attack starts from, none for a session, or why there is none. */
  async function material(from: Material): Promise<string | { readonly refusal: string }> {
    if (from === 'session') return ''
    if (from !== 'token') return facts.demoTokens?.[from] ?? ''
    const login = await token()
    return 'token' in login ? login.token : login
  }

  function keep(key: string, outcome: TryOutcome): TryOutcome {
    outcomes.value = new Map(outcomes.value).set(key, outcome)
    return outcome
  }

  async function run(cell: Cell): Promise<TryOutcome> {
    const outcome = await attempt(cell)
    if (cell.auth === 'session' && isOver(outcome)) sessionEnded()
    return keep(cellKeyOf(cell), outcome)
  }

  async function attempt(cell: Cell): Promise<TryOutcome> {
    const found = await credentialsOf(cell.auth)
    if ('reason' in found) return { kind: 'failed', ...found }
    const { status } = expected(cell)
    return answered(callOf(cell, found.authorization), (given) => given.status === status)
  }

  /** The value of `Authorization`, if the way has one, or why there is none. */
  async function credentialsOf(
    auth: AuthMethod,
  ): Promise<{ readonly authorization: string | undefined } | { readonly reason: string }> {
    if (!isReady(auth)) return { reason: auth === 'session' ? 'Log in first.' : 'No caller is chosen.' }
    if (auth !== 'bearer') return { authorization: basicOf(auth) }
    const login = await token()
    return 'token' in login ? { authorization: `Bearer ${login.token}` } : { reason: `No token: ${login.refusal}` }
  }

  async function strike(attack: Attack): Promise<TryOutcome> {
    const found = await material(attack.from)
    if (typeof found !== 'string') return keep(attack.label, { kind: 'failed', reason: `No token: ${found.refusal}` })
    const due = dueRefusal(attack, facts)
    return keep(attack.label, await answered(attack.call(found), (given) => isRefusedSo(given, due)))
  }

  async function answered(call: Call, isDue: (given: Exchange) => boolean): Promise<TryOutcome> {
    try {
      const given = await exchange(call)
      return { kind: 'answered', isDue: isDue(given), exchange: given }
    } catch {
      return { kind: 'failed', reason: 'The service does not answer.' }
    }
  }

  function basicOf(auth: AuthMethod): string | undefined {
    if (auth !== 'database' && auth !== 'directory') return undefined
    const { username, password } = callers[auth].value
    return basicCredentials(username, password)
  }

  function callOf({ name, route, auth }: Cell, authorization: string | undefined): Call {
    const { parameters = {}, query = '', content } = sample(name, route, running) ?? { content: { headers: {} } }
    const withSession = auth === 'session'
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
    const waiting = rows.flatMap(([name, route]) => authMethods.filter(isReady).map((auth) => ({ name, route, auth })))
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
    running,
    authMethods,
    rows,
    allRows,
    callers,
    outcomes,
    progress,
    isReady,
    expected,
    token,
    hasMaterial,
    run,
    runAll,
    strike,
  }
}

/** Whether a session was refused that should have counted. */
function isOver(outcome: TryOutcome): boolean {
  return outcome.kind === 'answered' && outcome.exchange.status === 401 && !outcome.isDue
}

export function cellKeyOf({ name, auth }: Pick<Cell, 'name' | 'auth'>): string {
  return `${name}.${auth}`
}

export function isAsExpected(outcome: TryOutcome): boolean {
  return outcome.kind === 'answered' && outcome.isDue
}

/** A sample request, ready to send. */
interface SampleCall extends SampleRequest {
  readonly content: Pick<Call, 'headers' | 'body'>
}

/** The user of the page. */
interface PageUser {
  /** The credentials for the login endpoint, and whether the profile asks their store. */
  readonly login: { readonly username: string; readonly password: string; readonly isKnown: boolean } | undefined
  /** Whether the session of the page began with an identity provider. */
  readonly isFromProvider: boolean
}

/** The samples that depend on the user. Without credentials to log in with, the login is left incomplete. */
const FITTED: Readonly<Record<string, (pageUser: PageUser) => SampleCall>> = {
  authLogin: ({ login }) => {
    if (!login) return { content: formBody({}), granted: 400 }
    const { username, password, isKnown } = login
    return { content: formBody({ username, password }), granted: isKnown ? 200 : 401 }
  },
  oauth2Steps: ({ isFromProvider }) => ({ content: { headers: JSON_HEADERS }, granted: isFromProvider ? 200 : 404 }),
}

/** The page's request to an endpoint; undefined if the endpoint is not part of the API. */
function sampleOf(name: string, route: Route, pageUser: PageUser): SampleCall | undefined {
  const samples: Readonly<Record<string, SampleRequest | undefined>> = SAMPLE_REQUESTS
  const sample = samples[name] ?? plainRequest(route)
  return FITTED[name]?.(pageUser) ?? (sample && { ...sample, content: contentOf(sample) })
}

function contentOf({ json }: SampleRequest): SampleCall['content'] {
  if (json === undefined) return { headers: JSON_HEADERS }
  return { headers: { ...JSON_HEADERS, 'content-type': 'application/json' }, body: JSON.stringify(json) }
}
