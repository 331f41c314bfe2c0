import type { Edge } from './endpoint.ts'
import { type Html, html } from './html.ts'
import { type HttpEvent, type Reply, redirect } from './message.ts'

/** Nothing but our own forms: no script, no style, no frame, no picture (W3C Content Security Policy Level 3). */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** A page that works without JavaScript. */
export function page(title: string, body: Html, cookies: readonly string[] = []): Reply {
  const { text } = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body>
${body}
</body>
</html>
`
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }
  return { statusCode: 200, headers, cookies: [...cookies], body: text }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Cookies belong to one host name: a local page asked for under another loopback name leads to the one of the base URL. */
export async function onOwnHost(event: HttpEvent, { baseUrl }: Edge, answer: () => Promise<Reply>): Promise<Reply> {
  const host = event.headers['host'] ?? baseUrl.host
  const [name = ''] = /^(\[[^\]]*\]|[^:]*)/.exec(host) ?? []
  const isElsewhere = name !== baseUrl.hostname && LOOPBACK.includes(name) && LOOPBACK.includes(baseUrl.hostname)
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`
  return isElsewhere ? redirect(`${baseUrl.origin}${event.rawPath}${query}`) : answer()
}
