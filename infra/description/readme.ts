import { readFileSync } from 'node:fs'
import { PROFILES } from '../../lib/auth/profile.ts'
import { type EndpointName, ROUTES } from '../../lib/endpoints/index.ts'
import type { Route } from '../../lib/endpoints/route.ts'
import type { Figures } from '../../test/support/figures.ts'
import { code, table, withParts } from './markdown.ts'
import { OPERATIONS } from './operations.ts'
import { FILLED_IN, fallbackOf, TOLD } from './settings.ts'
import { speed } from './speed.ts'

/** The text of the README with its generated parts replaced. */
export function readme(): string {
  return withParts('README.md', { endpoints, profiles, settings, reliability, speed })
}

function endpoints(): string {
  const rows = (Object.keys(ROUTES) as EndpointName[]).map((name) => {
    const route: Route = ROUTES[name]
    const { summary, answers } = OPERATIONS[name]
    return [route.method, code(route.path), whoGetsIn(route), summary, Object.keys(answers).join(', ')]
  })
  return table(['method', 'path', 'who gets in', 'what it does', 'answers'], rows)
}

function whoGetsIn(route: Route): string {
  const profile = route.profile === undefined ? '' : `; profile ${code(route.profile)}`
  return `${callersOf(route)}${profile}`
}

const CREDENTIALS = {
  any: 'any valid credentials',
  database: 'Basic, database',
  directory: 'Basic, directory',
  session: 'a session',
} as const satisfies Record<NonNullable<Route['credentials']>, string>

function callersOf({ access, credentials = 'any', providers }: Route): string {
  if (access === 'public') return 'anybody'
  if (access === 'signature') return providers?.join(', ') ?? 'whoever signs'
  if (access === 'authenticated') return CREDENTIALS[credentials]
  const { role, permission } = access
  return permission ? `${code(role)} with ${permission.name} on ${permission.on}` : code(role)
}

function profiles(): string {
  const yes = (is: boolean) => (is ? 'yes' : '')
  const rows = Object.entries(PROFILES).map(([name, { bearer, basic, stores, providers }]) => [
    code(name),
    yes(bearer),
    basic ? stores.join(', ') : '',
    yes(providers.length > 0),
    stores.join(', then the '),
  ])
  return table(['`PROFILE`', 'bearer token', 'Basic', 'OAuth2 login', 'the login looks up names in the'], rows)
}

function settings(): string {
  const rows = TOLD.map((told) => [told.names.map(code).join(', '), fallbackOf(told), told.meaning])
  const filledIn = `Filled in by the deployment or by \`npm start\`, whose demo a deployed stage refuses: ${FILLED_IN.map(code).join(', ')}.`
  return `${table(['setting', 'default', 'meaning'], rows)}\n\n${filledIn}`
}

/** The long runs whose figures are kept (`test/support/figures.ts`), in the order of the README. */
const RUNS = ['simulate', 'model', 'chaos', 'fuzz', 'planted', 'mutants', 'load', 'soak'] as const

function reliability(): string {
  const rows = RUNS.map((name) => {
    const { claim, tried, found, command, minutes } = figuresOf(name)
    return [claim, tried, found, `${code(command)}, ${minutes} min`]
  })
  return table(['claim', 'tried', 'found', 'again'], rows)
}

function figuresOf(name: string): Figures {
  return JSON.parse(readFileSync(`test/figures/${name}.json`, 'utf8'))
}
