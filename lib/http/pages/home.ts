import type { Permits } from '../../auth/access.ts'
import { permitsOf } from '../../auth/permissions.ts'
import { admission } from './admission.ts'
import { demoLogins } from './demo-users.ts'
import { doors } from './doors.ts'
import { type Html, html } from './html.ts'
import { type DrawIcon, iconsOf, symbolsFor } from './icon.ts'
import type { PageContent } from './page.ts'
import { parts } from './parts.ts'
import type { Site } from './site.ts'
import type { View } from './view.ts'
import { cookies, nameOf, you } from './you.ts'

/** @param endpoint the name of the one whose admission is explained; any other text means the first */
export function homePage(view: View, site: Site, endpoint: string | undefined): PageContent {
  const permits: Permits = permitsOf(site.permissions)
  const draw = iconsOf(site.manifest)
  const { principal } = view
  const { isLocal, profile } = site
  const headline = principal
    ? html`You are logged in as ${nameOf(principal)}.`
    : html`Try every way to authenticate, and process every webhook exactly once.`
  const main = html`<div class="stack intro">
<p><span class="badge solid" data-tone="run">${draw('home')}${isLocal ? 'Local stage, profile' : 'Profile'} ${profile}</span></p>
<h1 class="hero">${headline}</h1>
</div>
<div class="pair${principal ? ' near from-top' : ''}">
${principal ? you(principal, view, site.permissions) : welcome(view, site, draw)}
${parts(site, draw)}
</div>
<div class="cols doors">
${doors(view, site, permits, draw)}</div>
<div class="pair near from-top">
${admission(principal, profile, permits, endpoint)}
${principal && cookies(site.baseUrl)}
</div>
${symbolsFor(site)}`
  return { title: 'Home', path: '/', frame: 'site', main, script: 'home' }
}

function welcome(view: View, site: Site, draw: DrawIcon): Html {
  const logins = demoLogins(view, site, draw)
  return html`<div class="stack intro">
<p class="lead">Gatehouse is a reference service that you can run with one command. It shows how tokens, passwords, sessions and OAuth logins are checked. Its webhook inbox verifies, stores, retries and delivers events.</p>
${
  logins ??
  html`<p class="row flow"><a class="btn big main-btn" href="/login">${draw('user')}Log in</a><span class="muted">to see who you are here, and what you may do.</span></p>`
}
</div>`
}
