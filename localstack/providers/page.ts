import { join } from 'node:path'
import { type Html, html } from '../../lib/http/pages/html.ts'
import { sprite, styleSheet } from '../console-files.ts'
import { fileResponse, type ProviderResponse } from './exchange.ts'
import type { RegisteredClient } from './run.ts'

const foreignStyle = styleSheet(join(import.meta.dirname, 'foreign.css'))

const SPRITE = '/demo-provider/icons.svg'
const SHEET = '/demo-provider/style.css'

/** The provider that a page plays. */
export interface PlayedProvider {
  readonly provider: string
  /** Its own: `127.0.0.1:3002`. */
  readonly host: string
  /** To which a login returns. */
  readonly client: RegisteredClient
}

interface Content {
  readonly title: string
  readonly main: Html
}

export function draw(name: string): Html {
  return html`<svg class="i" aria-hidden="true"><use href="${SPRITE}#${name}"></use></svg>`
}

/** A page that does not look like ours, as it plays somebody else. */
export function foreignPage(
  { provider, host, client }: PlayedProvider,
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
<p class="note small">${draw('info')} You have left Gatehouse. This page plays the identity provider. Gatehouse does not see what you do here.</p>
${main}
</main>
</body>
</html>
`
  return { status, headers: headersFor(new URL(client.redirectUri)), body: text }
}

/** A page that says why there is nothing to choose, with the way back. */
export function foreignRefusal(place: PlayedProvider, status: number, reason: string): ProviderResponse {
  const { origin } = new URL(place.client.redirectUri)
  const main = html`<h1 class="hero">This login cannot go on</h1>
<p>${reason}</p>
<p><a class="btn main-btn" href="${origin}/login">Back to Gatehouse</a></p>`
  return foreignPage(place, { title: 'This login cannot go on', main }, status)
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
