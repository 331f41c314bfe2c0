import { PROFILES } from '../../auth/profile.ts'
import { type ConsoleFacts, FACTS_ID, ISLAND_ID, SCRIPT_PAGES, type ScriptPage } from '../../contract/console.ts'
import { loginAddress } from '../../contract/login-address.ts'
import { ROUTES } from '../../endpoints/index.ts'
import type { Route } from '../../endpoints/route.ts'
import { fail } from '../../errors.ts'
import { type Role, satisfies } from '../../users/role.ts'
import { isInProfile } from '../routing.ts'
import { type Html, html, jsonBlock } from './html.ts'
import type { PageContent } from './page.ts'
import type { Site } from './site.ts'
import type { View } from './view.ts'

interface Declaration {
  readonly title: string
  readonly lead: string
  /** The role that it is for; everybody without one. */
  readonly role?: Role
}

const PAGES: Readonly<Record<ScriptPage, Declaration>> = {
  playground: { title: 'Playground', lead: 'Every endpoint, with every way in: what should come back, and what does.' },
  token: { title: 'Token', lead: 'What a JWT says, and whether it holds.' },
  oauth: { title: 'OAuth steps', lead: 'The last login with a provider: what was sent, and what was checked.' },
  webhooks: { title: 'Webhooks', lead: 'What arrives, fails and is retried, as it happens.', role: 'ROLE_ADMIN' },
}

/**
 * The frame of a page that its script fills.
 * @throws ServiceError `ENDPOINT_NOT_FOUND` for a name of none
 */
export function scriptPage(name: string | undefined, view: View, site: Site): PageContent {
  const found = SCRIPT_PAGES.find((candidate) => candidate === name)
  if (found === undefined) throw fail('ENDPOINT_NOT_FOUND')
  const { title, lead, role } = PAGES[found]
  const common = { title, path: `/console/${found}` }
  const heading = html`<h1>${title}</h1>\n<p class="lead">${lead}</p>`
  const isWelcome = role === undefined || satisfies(view.principal?.roles ?? [], role)
  if (!isWelcome) return { ...common, main: html`${heading}\n${closed(view, role)}` }
  const main = html`${heading}
<div id="${ISLAND_ID}"><noscript><p class="notice">This page needs JavaScript. <a href="/">Home</a> and <a href="/login">login</a> do not.</p></noscript></div>
${jsonBlock(FACTS_ID, factsOf(view, site))}`
  return { ...common, main, script: found }
}

function closed({ principal, address }: View, role: Role): Html {
  return principal
    ? html`<p class="notice" data-tone="warn">It is for ${role}, which ${principal.username} does not have.</p>`
    : html`<p class="notice" data-tone="warn">It is for ${role}. <a href="${loginAddress(address)}">Log in</a> first.</p>`
}

function factsOf(
  { principal, csrfToken, providers }: View,
  { stompUrl, profile, permissions, demoUsers, demoTokens }: Site,
): ConsoleFacts {
  const { bearer, basic, stores } = PROFILES[profile]
  return {
    user: principal
      ? {
          username: principal.username,
          roles: principal.roles,
          authType: principal.authType,
          sessionExpiresAt: principal.sessionExpiresAt?.toISOString(),
        }
      : null,
    csrfToken,
    stompUrl: stompUrl?.href ?? null,
    profile,
    accepts: { bearer, basic, stores },
    providers,
    permissions,
    routes: Object.fromEntries(Object.entries<Route>(ROUTES).filter(([, route]) => isInProfile(route, profile))),
    demoUsers,
    demoTokens: demoTokens ?? null,
  }
}
