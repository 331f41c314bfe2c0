import { accessRuleOf, decide, isGuarded, type PermissionTable, permitsOf } from '../../lib/auth/access.ts'
import { isInProfile, PROFILES, type Profile } from '../../lib/auth/profile.ts'
import type { Route } from '../../lib/contract/route.ts'
import type { Role } from '../../lib/users/role.ts'
import { AUTH_LABELS, type AuthMethod, isAccepted, TAKEN_BY } from '../callers.ts'
import type { CheckStep } from '../ui/steps.tsx'

/** A call to an endpoint. */
export interface TriedCall {
  readonly route: Route
  readonly auth: AuthMethod
  /** The caller's roles, if the credentials are valid. */
  readonly roles: readonly Role[]
}

interface Rules {
  readonly profile: Profile
  readonly permissions: PermissionTable
}

/** What an endpoint has to answer, and each check on the way there. */
export interface Expectation {
  readonly status: number
  readonly steps: readonly CheckStep[]
}

/**
 * The answer by the service's own rules (auth-1).
 * @param granted the status that a caller with access receives
 */
export function expectationOf(call: TriedCall, granted: number, { profile, permissions }: Rules): Expectation {
  const { route, auth, roles } = call
  if (!isInProfile(route, profile)) return absent(route)
  if (!isGuarded(route)) {
    return through([{ title: 'Access', about: 'public: credentials are ignored', result: 'passed' }], granted)
  }
  const missing = missingCredentials(route, auth, profile)
  const caller = { username: '', roles, authType: 'FORM', principalType: 'DatabaseUser' } as const
  const { verdict } = decide(missing ? undefined : caller, accessRuleOf(route), permitsOf(permissions))
  const steps = [...csrfSteps(call), credentialStep(auth, missing), roleStep(call), permissionStep(call)]
  const failing = FAILING[verdict]
  return failing === undefined ? through(steps, granted) : stopped(steps, failing)
}

/** By the title of the step that refuses. */
const FAILING = {
  unauthenticated: { title: 'Credentials', status: 401 },
  'role-missing': { title: 'Role', status: 403 },
  'permission-missing': { title: 'Permission', status: 403 },
  granted: undefined,
} as const

function absent({ profile }: Route): Expectation {
  const about = `only in the profiles default and ${profile}`
  return { status: 404, steps: [{ title: 'Endpoint', about, result: 'refused', note: '404' }] }
}

/** Why the credentials do not count; undefined if they do. */
function missingCredentials({ credentials = 'any' }: Route, auth: AuthMethod, profile: Profile): string | undefined {
  if (auth === 'none') return 'none are sent'
  const taken = TAKEN_BY[credentials]
  if (!taken.includes(auth)) return `this endpoint takes only: ${taken.map((each) => AUTH_LABELS[each]).join(', ')}`
  return isAccepted(auth, PROFILES[profile]) ? undefined : `the profile ${profile} does not accept them`
}

function csrfSteps({ route, auth }: TriedCall): readonly CheckStep[] {
  if (auth !== 'session' || route.method === 'GET') return []
  return [{ title: 'CSRF token', about: 'the page sends it in a header', result: 'passed' }]
}

const PROOFS: Readonly<Record<AuthMethod, string>> = {
  none: '',
  bearer: 'signature, claims and times of the token hold',
  database: 'the password fits a user of the database',
  directory: 'the password fits a user of the directory',
  session: 'the cookie names a live session',
}

function credentialStep(auth: AuthMethod, missing: string | undefined): CheckStep {
  return { title: 'Credentials', about: missing ?? PROOFS[auth], result: 'passed' }
}

function roleStep({ route: { access }, roles }: TriedCall): CheckStep {
  if (typeof access !== 'object') return { title: 'Role', about: 'any caller is enough', result: 'passed' }
  return { title: 'Role', about: `the caller has ${roles.join(', ') || 'none'}`, result: 'passed', note: access.role }
}

function permissionStep({ route: { access } }: TriedCall): CheckStep {
  const required = typeof access === 'object' ? access.permission : undefined
  if (!required) return { title: 'Permission', about: 'none is required', result: 'passed' }
  return { title: 'Permission', about: 'of the role', result: 'passed', note: `${required.name} on ${required.on}` }
}

const INPUTS: Readonly<Record<number, string>> = {
  400: 'incomplete on purpose, so that nothing changes',
  401: 'the profile does not know this user',
  404: 'names nothing that exists, so that nothing changes',
}

function through(steps: readonly CheckStep[], granted: number): Expectation {
  const about = INPUTS[granted] ?? 'the call is complete'
  const result = granted < 400 ? 'passed' : 'refused'
  return { status: granted, steps: [...steps, { title: 'Input', about, result, note: String(granted) }] }
}

function stopped(steps: readonly CheckStep[], { title, status }: { title: string; status: number }): Expectation {
  const at = steps.findIndex((step) => step.title === title)
  const judged = steps.map((step, index): CheckStep => {
    if (index < at) return step
    if (index > at) return { title: step.title, result: 'unreached' }
    return { ...step, result: 'refused', note: step.note === undefined ? `${status}` : `${step.note}: ${status}` }
  })
  return { status, steps: [...judged, { title: 'Input', result: 'unreached' }] }
}
