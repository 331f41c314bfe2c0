import type { Reply } from '../message.ts'
import { type Html, html, iconsOf } from './html.ts'
import { sideMenu, siteHeader } from './menu.ts'
import type { Manifest, Site, View } from './site.ts'

export interface PageContent {
  readonly title: string
  /** The path under which the navigation knows the page. */
  readonly path: string
  readonly main: Html
  /** Beside the menu of the console, or below the head of the site. */
  readonly frame: 'console' | 'site'
  /** The script that adds to it, by its name in the manifest. */
  readonly script?: string
}

export function page(site: Site, view: View, content: PageContent, cookies: readonly string[] = []): Reply {
  return { ...reply(site.manifest, view, content, site), cookies: [...cookies] }
}

/** A page that does not know who looks at it. */
export function barePage(manifest: Manifest, content: PageContent): Reply {
  return reply(manifest, undefined, content)
}

function reply(manifest: Manifest, view: View | undefined, content: PageContent, site?: Site): Reply {
  const { title, main, script, path, frame } = content
  const draw = iconsOf(manifest)
  const isConsole = frame === 'console' && view !== undefined
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Gatehouse</title>
<link rel="icon" href="${asset(manifest.icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${asset(manifest.style)}">
${script === undefined ? undefined : scriptTags(manifest, script)}
</head>
<body class="${isConsole ? 'app' : 'front'}">
<a class="skip" href="#content">Skip to content</a>
${isConsole ? sideMenu(view, path, draw, site?.isLocal === true) : siteHeader(view, path, draw)}
<main id="content" class="${isConsole ? 'main' : 'page stack wide'}" tabindex="-1">
${main}
</main>
</body>
</html>
`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(site?.stompUrl),
  }
  return { statusCode: 200, headers, body: text }
}

/** All that a script imports is asked for together with it. */
function scriptTags({ scripts }: Manifest, name: string): Html {
  const [entry, ...imported] = scripts[name] ?? []
  if (entry === undefined) throw new Error(`no script ${name}`)
  const preloads = imported.map((file) => html`<link rel="modulepreload" href="${asset(file)}">\n`)
  return html`${preloads}<script type="module" src="${asset(entry)}"></script>`
}

function asset(name: string): string {
  return `/assets/${name}`
}

/**
 * Only files and forms of this service: no inline script or style, no frames in either direction, no foreign source,
 * and no text that becomes script (W3C Content Security Policy Level 3, Trusted Types). Scripts reach the service and
 * the STOMP adapter.
 */
export function contentSecurityPolicy(stompUrl: URL | undefined): string {
  const connect = ["'self'", ...(stompUrl ? [stompUrl.origin] : [])]
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${connect.join(' ')}; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
}
