import { isInProfile, PROFILES } from '../../lib/auth/profile.ts'
import type { Route } from '../../lib/contract/route.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { code, table, withParts } from './markdown.ts'

/** The page of the HTTP API, with its tables of endpoints and profiles. */
export function apiPage(): string {
  return withParts('docs/api.md', { endpoints, profiles })
}

function endpoints(): string {
  const rows = Object.values(ENDPOINTS).map(({ route, about }) => {
    const { summary, answers } = about
    return [route.method, code(route.path), whoGetsIn(route), summary, Object.keys(answers).join(', ')]
  })
  return table(['method', 'path', 'allowed for', 'what it does', 'answers'], rows)
}

function whoGetsIn(route: Route): string {
  const profile = route.profile === undefined ? '' : `; profile ${code(route.profile)}`
  return `${callersOf(route)}${profile}`
}

const CREDENTIALS = {
  any: 'any valid credentials',
  'any-or-key': 'any valid credentials, an API key',
  database: 'Basic, database',
  directory: 'Basic, directory',
  session: 'a session',
} as const satisfies Record<NonNullable<Route['credentials']>, string>

function callersOf({ access, credentials = 'any', isChallenge }: Route): string {
  if (access === 'public') return 'everyone'
  if (access === 'signature') return isChallenge ? 'a provider that asks' : 'callers with a valid signature'
  if (access === 'authenticated') return CREDENTIALS[credentials]
  const { role, permission } = access
  if (permission) return `${code(role)} with ${permission.name} on ${permission.on}`
  return credentials === 'any-or-key' ? `${code(role)}, an API key` : code(role)
}

function profiles(): string {
  const yes = (is: boolean) => (is ? 'yes' : '')
  const rows = Object.entries(PROFILES).map(([name, { bearer, basic, stores }]) => [
    code(name),
    yes(bearer),
    basic ? stores.join(', ') : '',
    yes(isInProfile({ profile: 'oauth2' }, name)),
    stores.join(', then the '),
  ])
  return table(['`PROFILE`', 'bearer token', 'Basic', 'OAuth2 login', 'the login looks up names in the'], rows)
}
