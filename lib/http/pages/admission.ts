import { accessRuleOf, decide, isGuarded, type Permits } from '../../auth/access.ts'
import type { Principal } from '../../auth/principal.ts'
import { isInProfile, type Profile } from '../../auth/profile.ts'
import { ROUTES } from '../../contract/gen/endpoints.ts'
import type { Route } from '../../contract/route.ts'
import { takesSession } from '../middleware/authenticate.ts'
import { type Html, html } from './html.ts'

/** The access decision as a table to read (auth-1). */
const STEPS = [
  { step: 1, condition: 'The request is not authenticated', result: '401' },
  { step: 2, condition: 'No role is required', result: 'granted' },
  { step: 3, condition: 'A role is required and you lack it', result: '403' },
  { step: 4, condition: 'No permission is required', result: 'granted' },
  { step: 5, condition: 'A permission is required and your role lacks it', result: '403' },
  { step: 6, condition: 'All checks pass', result: 'granted' },
] as const

const FIRST = 'adminSecure'

/** Why an endpoint would let the caller in, or would not: the steps of the decision, and the one that decides. */
export function admission(
  principal: Principal | undefined,
  profile: Profile,
  permits: Permits,
  chosen: string | undefined,
): Html {
  const routes = Object.entries<Route>(ROUTES).filter(([, route]) => isInProfile(route, profile))
  const [name, route] = routes.find(([candidate]) => candidate === chosen) ?? [FIRST, ROUTES[FIRST]]
  return html`<section class="card stack" aria-labelledby="admission">
<h2 id="admission">Why an endpoint lets you in, or does not</h2>
<form class="row flow" method="get" action="/#admission">
<label for="endpoint">Endpoint</label>
<span class="field grow"><select id="endpoint" name="endpoint">
${routes.map(([candidate, { method, path }]) => html`<option value="${candidate}"${candidate === name ? html` selected` : undefined}>${method} ${path}</option>\n`)}</select></span>
<button type="submit" class="btn">Explain</button>
</form>
${explanation(route, principal, permits)}
</section>`
}

const UNASKED: Readonly<Record<string, string>> = {
  public: 'No authentication is needed. Credentials are ignored.',
  signature: 'The signature of each call decides. Your login does not count.',
}

function explanation(route: Route, principal: Principal | undefined, permits: Permits): Html {
  if (!isGuarded(route)) return html`<p>${UNASKED[String(route.access)]}</p>`
  const isIgnored = principal !== undefined && !takesSession(route.credentials)
  const { step, verdict } = decide(isIgnored ? undefined : principal, accessRuleOf(route), permits)
  const [tone, outcome] = verdict === 'granted' ? ['ok', 'lets you in'] : ['wait', 'refuses you']
  return html`<p><strong class="badge solid" data-tone="${tone}">${outcome}</strong> It needs ${demandOf(route)}.${isIgnored ? ' Your session does not count there.' : ''}</p>
<section class="overflow" aria-label="Steps of the decision" tabindex="0">
<table>
<thead><tr><th scope="col">Step</th><th scope="col">If</th><th scope="col">Then</th><th scope="col">Here</th></tr></thead>
<tbody>
${STEPS.map((row) => stepRow(row, step))}</tbody>
</table>
</section>`
}

function stepRow({ step, condition, result }: (typeof STEPS)[number], deciding: number): Html {
  const mark = step === deciding ? html` class="on"` : undefined
  return html`<tr${mark}><th scope="row">${String(step)}</th><td>${condition}</td><td>${result}</td><td>${standing(step, deciding)}</td></tr>\n`
}

function standing(step: number, deciding: number): string {
  if (step === deciding) return 'decides'
  return step < deciding ? 'does not hold' : 'not reached'
}

const CREDENTIALS = {
  any: 'any valid credentials',
  'any-or-key': 'any valid credentials or an API key',
  database: 'HTTP Basic with a user of the database',
  directory: 'HTTP Basic with a user of the directory',
  session: 'a session',
} as const

function demandOf({ access, credentials = 'any' }: Route): string {
  const { role, permission } = typeof access === 'object' ? access : {}
  const demands = [
    CREDENTIALS[credentials],
    ...(role ? [`the role ${role}`] : []),
    ...(permission ? [`the permission ${permission.name} on ${permission.on}`] : []),
  ]
  return new Intl.ListFormat('en').format(demands)
}
