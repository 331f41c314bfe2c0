import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { LOGIN_ATTACKS, type LoginAttack } from '../../lib/contract/login-attacks.ts'
import { Html, html } from '../../lib/http/pages/html.ts'
import { sprite, styleSheet } from '../console-files.ts'
import { ATTACK_FIELD } from './attacks.ts'
import { type DemoIdentity, type RegisteredClient, usernameOf } from './client.ts'

const foreignStyle = styleSheet(join(import.meta.dirname, 'foreign.css'))

const SPRITE = '/demo-provider/icons.svg'
const SHEET = '/demo-provider/style.css'

/** The provider that a page stands in for. */
export interface DemoProvider {
  readonly provider: string
  /** Its own: `127.0.0.1:3002`. */
  readonly host: string
  /** To which a login returns. */
  readonly client: Omit<RegisteredClient, 'secret'>
  /** Whether that is a client of the user in place of Gatehouse. */
  readonly isOpen?: true
}

interface Content {
  readonly title: string
  readonly main: Html
}

function draw(name: string): Html {
  return html`<svg class="i" aria-hidden="true"><use href="${SPRITE}#${name}"></use></svg>`
}

/** A page that does not look like ours, as it stands in for another site. */
function foreignPage(
  { provider, host, client, isOpen }: DemoProvider,
  { title, main }: Content,
  status = 200,
): ProviderResponse {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Demo provider ${provider}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${SHEET}">
</head>
<body class="foreign">
<header class="bar"><span class="brand">${draw('globe')}<b>Demo provider “${provider}”</b></span><span class="push chip"><code>${host}</code></span></header>
<main class="stack wide">
<p class="note small">${draw('info')} ${isOpen ? '' : 'You have left Gatehouse. '}This page stands in for the identity provider.${isOpen ? '' : ' Gatehouse does not see what you do here.'}</p>
${main}
</main>
</body>
</html>
`
  return { status, headers: headersFor(new URL(client.redirectUri)), body: text }
}

/** A page that says why there is nothing to choose, with the way back. */
export function foreignRefusal(place: DemoProvider, status: number, reason: string): ProviderResponse {
  const { origin } = new URL(place.client.redirectUri)
  const main = html`<h1 class="hero">This login cannot go on</h1>
<p>${reason}</p>
${place.isOpen ? '' : html`<p><a class="btn main-btn" href="${origin}/login">Back to Gatehouse</a></p>`}`
  return foreignPage(place, { title: 'This login cannot go on', main }, status)
}

/** The pages on which a user lets a device in (RFC 8628 section 3.3), around the forms of the library. */
export function devicePages(place: DemoProvider) {
  const page =
    (title: string, form = '', problem = '') =>
    async (context: KoaContextWithOIDC, text = '', given?: object, _info?: object, code = '') => {
      const button = form && html`<p><button class="btn main-btn" form="${form}">Go on</button></p>`
      const main = html`<h1 class="hero">${title}</h1>
<p>${given && problem}<code>${code}</code></p>
${new Html(text)}${button}`
      const { headers = {}, body } = foreignPage(place, { title, main })
      context.set(headers)
      context.body = body
    }
  const wrong = 'This code is wrong, used or too old.'
  return {
    userCodeInputSource: page('Enter the code that your device shows', 'op.deviceInputForm', wrong),
    userCodeConfirmSource: page('Does your device show this code?', 'op.deviceConfirmForm'),
    successSource: page('Your device is connected'),
  }
}

/** Nothing inline, and forms only to the provider, whose answer leads back home. */
function headersFor({ origin }: URL): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self' ${origin}; frame-ancestors 'none'`,
  }
}

/** The files that such a page loads; undefined for any other path. */
export async function foreignFile(path: string): Promise<ProviderResponse | undefined> {
  if (path === SPRITE) return fileResponse('image/svg+xml', sprite())
  return path === SHEET ? fileResponse('text/css; charset=utf-8', await foreignStyle()) : undefined
}

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
  /** The attack that is chosen at first; null for none, and undefined where the provider tries none. */
  readonly attack?: LoginAttack | null
}

/** A page that lists the demo users, and posts the choice to its own address. */
export function providerLoginPage(place: DemoProvider, { identities, scope, attack }: Asked): ProviderResponse {
  const { id, redirectUri } = place.client
  const asking = place.isOpen ? id : 'Gatehouse'
  const main = html`<div class="stack tight">
<h1 class="hero">Choose an account</h1>
<p class="muted">to go on to <b>${id}</b> at ${new URL(redirectUri).host}</p>
</div>
<form method="post" class="stack wide">
${attack === undefined ? '' : attackChoice(attack)}<ul class="stack tight">
${identities.map((identity) => choice(identity, place))}</ul>
<section class="stack tight" aria-labelledby="scopes">
<h2 id="scopes" class="small muted">${asking} asks for</h2>
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
<label for="attack">Attack that this provider tries</label>
<div class="field"><select id="attack" name="${ATTACK_FIELD}">
<option value="">None: an honest login</option>
${attacks.map(([name, label]) => html`<option value="${name}"${name === chosen ? SELECTED : undefined}>${label}</option>\n`)}</select></div>
</div>
`
}

const SELECTED = html` selected`

function choice(identity: DemoIdentity, { client: { admins }, isOpen }: DemoProvider): Html {
  const { name, login, email, isEmailVerified } = identity
  const username = usernameOf(identity)
  const role = admins?.includes(username) ? 'ROLE_ADMIN' : 'ROLE_USER'
  const address = email === null ? 'no address' : `${email}${isEmailVerified ? '' : ', not verified'}`
  return html`<li><button type="submit" class="btn big line-btn" name="${FIELD}" value="${username}">${draw('user')}<span class="grow stack tight wrap"><b>${name ?? login}</b> <span class="muted small">${address}</span></span> <span class="push muted small">${isOpen ? identity.id : `becomes ${admins ? role : identity.role}`}</span>${draw('right')}</button></li>\n`
}

/** The chosen user; undefined for a canceled login. */
export function chosenOf(form: URLSearchParams, identities: readonly DemoIdentity[]): DemoIdentity | undefined {
  return identities.find((identity) => usernameOf(identity) === form.get(FIELD))
}

/** A request to an embedded provider. */
export interface Request {
  readonly method: string
  readonly url: URL
  readonly accept: string
  /** Name and port of this provider. */
  readonly host: string
  readonly authorization: string
  readonly form: URLSearchParams
}

export interface ProviderResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Respond = (request: Request) => ProviderResponse

/** Serves one answer for each request. */
export function served(respond: Respond): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return async (incoming, outgoing) => {
    const form = new URLSearchParams(incoming.method === 'POST' ? await text(incoming) : '')
    const answer = respond({
      method: incoming.method ?? '',
      url: new URL(incoming.url ?? '/', 'http://provider'),
      host: incoming.headers.host ?? '',
      accept: incoming.headers.accept ?? '',
      authorization: incoming.headers.authorization ?? '',
      form,
    })
    send(answer, outgoing)
  }
}

function fileResponse(type: string, body: string): ProviderResponse {
  return { status: 200, headers: { 'content-type': type }, body }
}

export function send({ status, headers, body }: ProviderResponse, response: ServerResponse): void {
  response.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(body)
}

export function jsonResponse(body: unknown, status = 200): ProviderResponse {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) }
}

export function found(location: URL): ProviderResponse {
  return { status: 302, headers: { location: location.href } }
}
