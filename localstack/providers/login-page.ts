import { LOGIN_ATTACKS, type LoginAttack } from '../../lib/contract/login-attacks.ts'
import { type Html, html } from '../../lib/http/pages/html.ts'
import { ATTACK_FIELD } from './attacks.ts'
import type { ProviderResponse } from './exchange.ts'
import { type DemoIdentity, usernameOf } from './identity.ts'
import { draw, foreignPage, type PlayedProvider } from './page.ts'

/** The field with the chosen user, and its value for a canceled login. */
const FIELD = 'user'
const CANCEL = 'cancel'

/** What a client asks for with a scope. */
const SCOPES: Readonly<Record<string, string>> = {
  openid: 'who you are: a fixed number',
  profile: 'name and picture',
  email: 'your address',
  'read:user': 'login, name and picture',
  'user:email': 'your addresses, and whether they are verified',
  public_profile: 'name and picture',
}

interface Asked {
  readonly identities: readonly DemoIdentity[]
  /** The scopes of the request, separated by spaces. */
  readonly scope: string
  /** The attack that is chosen at first; null for none, and undefined where the provider plays none. */
  readonly attack?: LoginAttack | null
}

/** A page that lists the demo users, and posts the choice to its own address. */
export function providerLoginPage(place: PlayedProvider, { identities, scope, attack }: Asked): ProviderResponse {
  const { id, redirectUri } = place.client
  const main = html`<div class="stack tight">
<h1 class="hero">Choose an account</h1>
<p class="muted">to go on to <b>${id}</b> at ${new URL(redirectUri).host}</p>
</div>
<form method="post" class="stack wide">
${attack === undefined ? '' : attackChoice(attack)}<ul class="stack tight">
${identities.map((identity) => choice(identity, place))}</ul>
<section class="stack tight" aria-labelledby="scopes">
<h2 id="scopes" class="small muted">Gatehouse asks for</h2>
<ul class="stack tight">
${scope.split(' ').map((name) => html`<li class="row">${draw('ok')}<code>${name}</code> <span class="muted small">${SCOPES[name] ?? ''}</span></li>\n`)}</ul>
</section>
<p><button type="submit" class="btn" name="${FIELD}" value="${CANCEL}">Cancel</button></p>
</form>`
  return foreignPage(place, { title: 'Choose an account', main })
}

/** What the provider does wrong; Gatehouse has to refuse each of these logins. */
function attackChoice(chosen: LoginAttack | null): Html {
  const attacks = Object.entries(LOGIN_ATTACKS)
  return html`<div class="form">
<label for="attack">Attack that this provider plays</label>
<div class="field"><select id="attack" name="${ATTACK_FIELD}">
<option value="">None: an honest login</option>
${attacks.map(([name, label]) => html`<option value="${name}"${name === chosen ? SELECTED : undefined}>${label}</option>\n`)}</select></div>
</div>
`
}

const SELECTED = html` selected`

function choice(identity: DemoIdentity, { client: { admins } }: PlayedProvider): Html {
  const { name, login, email, isEmailVerified } = identity
  const username = usernameOf(identity)
  const role = admins?.includes(username) ? 'ROLE_ADMIN' : 'ROLE_USER'
  const address = email === null ? 'no address' : `${email}${isEmailVerified ? '' : ', not verified'}`
  return html`<li><button type="submit" class="btn big line-btn" name="${FIELD}" value="${username}">${draw('user')}<span class="grow stack tight wrap"><b>${name ?? login}</b> <span class="muted small">${address}</span></span> <span class="push muted small">becomes ${admins ? role : identity.role}</span>${draw('right')}</button></li>\n`
}

/** The chosen user; undefined for a canceled login. */
export function chosenOf(form: URLSearchParams, identities: readonly DemoIdentity[]): DemoIdentity | undefined {
  return identities.find((identity) => usernameOf(identity) === form.get(FIELD))
}
