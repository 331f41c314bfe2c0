import type { ServiceError } from '../../errors.ts'
import type { HttpEvent } from '../message.ts'
import { type Html, html } from './html.ts'
import type { PageContent } from './page.ts'

interface Words {
  readonly title: string
  readonly advice: string
}

const BY_STATUS: Readonly<Record<number, Words>> = {
  403: {
    title: 'Another site began this login',
    advice: 'Nothing has happened. A login begins here, or with a link that you follow.',
  },
  404: { title: 'Nothing here', advice: 'Check the address, or go back to where you came from.' },
  405: {
    title: 'This address is not for browsing',
    advice: 'Programs call it in another way than a browser opens a page.',
  },
  500: {
    title: 'Something went wrong',
    advice: 'That is our fault, not yours. If it stays so, tell us the id of the request.',
  },
  503: { title: 'Not available just now', advice: 'That is not your fault. Try again in a few seconds.' },
}

/**
 * What a browser is shown for a failure, with a way back.
 * @param baseUrl where the service is, so that no path is taken for another host
 */
export function errorContent(error: ServiceError, event: HttpEvent, baseUrl: URL): PageContent {
  const { title, advice } = BY_STATUS[error.status] ?? { title: error.category, advice: '' }
  const main = html`<h1>${title}</h1>
<p class="lead">${advice}</p>
<section class="card" aria-label="What happened">
<dl class="facts">
<dt>Answer</dt><dd>${String(error.status)} ${error.category}</dd>
<dt>Reason</dt><dd>${error.message}</dd>
<dt>Address</dt><dd><code>${event.requestContext.http.method} ${event.rawPath}</code></dd>
${supported(error)}<dt>Request id</dt><dd><code>${event.requestContext.requestId}</code></dd>
</dl>
<div class="actions">
${ways(error, event, baseUrl)}<a class="button quiet" href="/">Home</a>
</div>
</section>`
  return { title, path: event.rawPath, main }
}

function supported(error: ServiceError): Html | undefined {
  if (!error.is('METHOD_NOT_SUPPORTED')) return undefined
  return html`<dt>Methods</dt><dd>${error.details.supportedMethods.join(', ')}</dd>\n`
}

function ways(error: ServiceError, { rawPath, rawQueryString, requestContext }: HttpEvent, { origin }: URL) {
  if (error.is('CROSS_SITE_LOGIN')) return html`<a class="button" href="/login">Log in</a>\n`
  if (error.status !== 503 || requestContext.http.method !== 'GET') return undefined
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  return html`<a class="button" href="${origin}${rawPath}${query}">Try again</a>\n`
}
