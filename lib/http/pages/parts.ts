import { PROFILES } from '../../auth/profile.ts'
import { PROVIDER_NAMES } from '../../contract/login-steps.ts'
import { type Html, html } from './html.ts'
import type { DrawIcon } from './icon.ts'
import type { Site } from './site.ts'

/**
 * The parts of the stage that a visitor meets; their addresses on the local stage only. A script replaces the first list
 * by the parts that `GET /api/status` names, with their states.
 */
export function parts({ baseUrl, stompUrl, profile, isLocal }: Site, draw: DrawIcon): Html {
  const { bearer, basic, stores, providers } = PROFILES[profile]
  const ways = ['session', ...(bearer ? ['token'] : []), ...(basic ? ['HTTP Basic'] : [])]
  const configured = [
    { icon: 'globe', name: 'HTTP API', detail: isLocal ? baseUrl.host : '', end: 'answers you' },
    ...(stompUrl
      ? [{ icon: 'live', name: 'STOMP', detail: isLocal ? `${stompUrl.host}${stompUrl.pathname}` : '' }]
      : []),
    ...(providers.length > 0
      ? [{ icon: 'lanes', name: 'OAuth login', detail: providers.map((id) => PROVIDER_NAMES[id]).join(', ') }]
      : []),
  ]
  const accepted = [
    { icon: 'key', name: 'Credentials', detail: ways.join(', ') },
    { icon: 'users', name: 'Users', detail: stores.join(', ') },
  ]
  return html`<section class="card stack" aria-labelledby="parts">
<h2 id="parts">Running now</h2>
<ul class="stack" data-parts>
${configured.map((row) => item(row, draw))}</ul>
<ul class="stack">
${accepted.map((row) => item(row, draw))}</ul>
</section>`
}

interface Row {
  readonly icon: string
  readonly name: string
  readonly detail: string
  readonly end?: string
}

function item({ icon, name, detail, end }: Row, draw: DrawIcon): Html {
  const last = end === undefined ? undefined : html`<span class="push small muted">${end}</span>`
  return html`<li class="row">${draw(icon)}<b>${name}</b> <span class="small muted">${detail}</span>${last}</li>\n`
}
