import { errorShape } from '../../contract/error-shape.ts'
import type { ServiceError } from '../../errors.ts'
import type { HttpEvent } from '../message.ts'
import { type DrawIcon, type Html, html } from './html.ts'
import type { PageContent } from './page.ts'
import type { Manifest } from './site.ts'

interface Words {
  readonly title: string
  readonly advice: string
}

const BY_STATUS: Readonly<Record<number, Words>> = {
  403: {
    title: 'Another site began this login',
    advice: 'Nothing has happened. A login begins on this site, or with a link that you follow.',
  },
  404: { title: 'There is nothing here', advice: 'It does not exist, or it was deleted.' },
  405: {
    title: 'This address is not a page',
    advice: 'Programs call it with another method than a browser, which opens pages with GET.',
  },
  500: {
    title: 'Something went wrong',
    advice: 'This is our fault, not yours. If it happens again, report the request id.',
  },
  503: { title: 'Not available at the moment', advice: 'This is not your fault. Try again in a few seconds.' },
}

const NO_PAGE: Words = {
  title: 'There is no page here',
  advice: 'Gatehouse does not know this address. API clients get the same answer as JSON.',
}

const WAYS_ON = [
  { href: '/', icon: 'home', label: 'Home' },
  { href: '/console/webhooks', icon: 'inbox', label: 'Webhook events' },
  { href: '/console/playground', icon: 'grid', label: 'Auth lab' },
] as const

/**
 * What a browser is shown for a failure, with ways on.
 * @param baseUrl where the service is, so that no path is taken for another host
 */
export function errorContent(error: ServiceError, event: HttpEvent, baseUrl: URL, draw: DrawIcon): PageContent {
  const { title, advice } = wordsOf(error)
  const first = firstLink(error, event, baseUrl)
  const ways = WAYS_ON.map(({ href, icon, label }, index) => {
    const look = first === undefined && index === 0 ? ' main-btn' : ''
    return html`<a class="btn big${look}" href="${href}">${draw(icon)}${label}</a>\n`
  })
  const main = html`<div class="middle stack wide">
<p class="gate-big">${draw('gate')}</p>
<div class="stack">
<h1 class="hero">${title}</h1>
<p class="lead">${advice}</p>
</div>
<div class="row flow">
${first && html`<a class="btn big main-btn" href="${first.href}">${first.label}</a>\n`}${ways}</div>
<dl class="facts">
<dt>Answer</dt><dd>${String(error.status)} ${error.category}</dd>
<dt>Reason</dt><dd>${error.message}</dd>
<dt>Address</dt><dd><code>${event.requestContext.http.method} ${event.rawPath}</code></dd>
${supported(error)}<dt>Request id</dt><dd><code>${event.requestContext.requestId}</code></dd>
</dl>
<details><summary class="small">What an API client sees</summary>
<pre class="code" tabindex="0" aria-label="Answer in JSON">${answerOf(error, event)}</pre>
</details>
</div>`
  return { title, path: event.rawPath, frame: 'site', main }
}

function wordsOf(error: ServiceError): Words {
  if (error.is('ENDPOINT_NOT_FOUND')) return NO_PAGE
  return BY_STATUS[error.status] ?? { title: error.category, advice: '' }
}

function answerOf(error: ServiceError, { rawPath, requestContext }: HttpEvent): string {
  const body = errorShape(error, { path: rawPath, now: new Date(requestContext.timeEpoch) })
  return `HTTP/1.1 ${error.status}\ncontent-type: application/json\n\n${JSON.stringify(body, null, 2)}`
}

function supported(error: ServiceError): Html | undefined {
  if (!error.is('METHOD_NOT_SUPPORTED')) return undefined
  return html`<dt>Methods</dt><dd>${error.details.supportedMethods.join(', ')}</dd>\n`
}

interface Link {
  readonly href: string
  readonly label: string
}

/** The way on that fits this failure best. */
function firstLink(error: ServiceError, event: HttpEvent, { origin }: URL): Link | undefined {
  const { rawPath, rawQueryString, requestContext } = event
  if (error.is('CROSS_SITE_LOGIN')) return { href: '/login', label: 'Log in' }
  if (error.status !== 503 || requestContext.http.method !== 'GET') return undefined
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  return { href: `${origin}${rawPath}${query}`, label: 'Try again' }
}

const WITH_SLASH = /^(\/(?:docs|login|console\/[\w-]+))\/$/

/** The path of the page that a call means: without its last slash, the first page of the console, the icon. */
export function pageMeant({ rawPath, requestContext }: HttpEvent, { icon }: Manifest): string | undefined {
  if (requestContext.http.method !== 'GET') return undefined
  if (rawPath === '/favicon.ico') return `/assets/${icon}`
  return /^\/console\/?$/.test(rawPath) ? '/console/webhooks' : WITH_SLASH.exec(rawPath)?.[1]
}
