import type { Reply } from '../../lib/http/message.ts'
import { type Html, html, visibleText } from '../../lib/http/pages/html.ts'
import { sideMenu } from '../../lib/http/pages/menu.ts'
import { contentSecurityPolicy } from '../../lib/http/pages/page.ts'
import { STYLE, sprite, styleSheet } from '../console-files.ts'
import { OPEN_FAULT_NAMES, OPEN_FAULTS } from '../providers/faults.ts'
import { FAULT_NAMES, FAULTS } from './faults.ts'
import type { ClientReport, FaultReport, ReportedCall } from './report.ts'
import type { ClientVerdict } from './rules.ts'

const SPRITE = '/lab/icons.svg'

function draw(name: string): Html {
  return html`<svg class="i${name === 'gate' ? ' mark' : ''}" aria-hidden="true"><use href="${SPRITE}#${name}"></use></svg>`
}

/** The faults and what each client did, newest client first. */
export function labPage(reports: readonly ClientReport[], { origin }: URL, provider: string | undefined): Reply {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Test your client · Gatehouse</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/lab/style.css">
</head>
<body class="app">
<a class="skip" href="#content">Skip to content</a>
${sideMenu(undefined, '/lab', draw, true)}
<main id="content" class="main" tabindex="-1">
<header class="bar line"><h1>Test your client</h1></header>
<section class="scroll pad stack wide" aria-label="Test your client" tabindex="0">
<div class="stack intro">
<p>Give your client one of these base URLs. Below it the service has a fault, and records what the client does. Name the client in the header <code>X-Client-Name</code>; without it the client is called <code>unnamed</code>.</p>
</div>
<section class="stack" aria-labelledby="faults">
<h2 id="faults">Faults</h2>
<ul class="cols">
${FAULT_NAMES.map((fault) => faultCard(fault, origin, FAULTS[fault]))}</ul>
${provider === undefined ? '' : openFaults(provider)}<p class="small muted">Reports in JSON: <code>GET /lab/report/{name}</code>; <code>DELETE</code> begins a new one. <a href="/lab/openapi.json">Description in OpenAPI</a></p>
</section>
${reports.length === 0 ? html`<p class="note">${draw('info')} No client has called yet.</p>\n` : reports.map(clientSection)}</section>
</main>
</body>
</html>
`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(undefined),
  }
  return { statusCode: 200, headers, body: text }
}

function openFaults(provider: string): Html {
  return html`<h2>Faults of the OpenID provider</h2>
<p>Give your client one of these issuers; its <code>client_id</code> names it. It has to log in at <code>${provider}</code> first.</p>
<ul class="cols">
${OPEN_FAULT_NAMES.slice(1).map((fault) => faultCard(fault, provider, OPEN_FAULTS[fault]))}</ul>
`
}

function faultCard(fault: string, origin: string, { happens, good }: Record<'happens' | 'good', string>): Html {
  return html`<li class="card stack tight">
<p><b>${fault}</b></p>
<p class="wrap"><code>${origin}/lab/${fault}</code></p>
<p>${marked(happens)}</p>
<p class="muted">${marked(good)}</p>
</li>
`
}

/** Text between backquotes is code. */
function marked(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}

const LOOKS: Readonly<Record<ClientVerdict, { readonly tone: string; readonly icon: string }>> = {
  passed: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'bad', icon: 'bad' },
  unfinished: { tone: 'wait', icon: 'wait' },
  'not tried': { tone: 'note', icon: 'note' },
}

function clientSection({ client, faults }: ClientReport): Html {
  const count = (wanted: ClientVerdict) => faults.filter(({ verdict }) => verdict === wanted).length
  return html`<section class="card stack" aria-labelledby="client-${client}">
<h2 id="client-${client}">${client}</h2>
<p class="small muted">${String(count('passed'))} of ${String(faults.length)} passed, ${String(count('failed'))} failed</p>
<ul class="stack">
${faults.map((report) => html`<li>${faultItem(report)}</li>\n`)}</ul>
</section>
`
}

function faultItem({ fault, verdict, finding, calls, furtherCalls }: FaultReport): Html {
  const { tone, icon } = LOOKS[verdict]
  const line = html`<b>${fault}</b> <span class="badge" data-tone="${tone}">${draw(icon)}${verdict}</span> <span class="muted">${finding}</span>`
  if (calls.length === 0) return line
  const more = furtherCalls > 0 ? html`<p class="small muted">and ${String(furtherCalls)} more</p>` : undefined
  return html`<details><summary>${line}</summary>
<ol class="code small">
${calls.map(callLine)}</ol>${more}</details>`
}

function callLine({
  at,
  method,
  path,
  credentials,
  status,
  tokenStatus,
  retryAfter,
  challenge,
  error,
  parameters,
  issued,
}: ReportedCall): Html {
  const notes = [
    tokenStatus,
    error,
    parameters && `with ${parameters.join(', ')}`,
    retryAfter === undefined ? undefined : `Retry-After ${retryAfter}`,
    challenge && `challenge ${challenge}`,
    issued && `began ${issued}`,
  ].filter((note) => note !== undefined)
  const answer = status === null ? 'no answer yet' : [String(status), ...notes].join(', ')
  return html`<li><time datetime="${at}">${at.slice(11)}</time> ${method} ${visibleText(path)}, ${credentials}: ${answer}</li>\n`
}

const bundled = styleSheet(STYLE)

export async function labStyle(): Promise<Reply> {
  return { statusCode: 200, headers: { 'content-type': 'text/css; charset=utf-8' }, body: await bundled() }
}

export function labSprite(): Reply {
  return { statusCode: 200, headers: { 'content-type': 'image/svg+xml' }, body: sprite() }
}
