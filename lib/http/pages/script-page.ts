import { PROFILES } from '../../auth/profile.ts'
import {
  type ConsoleFacts,
  FACTS_ID,
  ISLAND_ID,
  loginAddress,
  SCRIPT_PAGES,
  type ScriptPage,
} from '../../contract/console.ts'
import { fail } from '../../errors.ts'
import { type Role, satisfies } from '../../users/role.ts'
import { type Html, html, iconsOf, jsonBlock } from './html.ts'
import type { PageContent } from './page.ts'
import type { Site, View } from './site.ts'

interface Declaration {
  readonly title: string
  /** For those whom the page is closed to, and where no script runs. */
  readonly lead: string
  /** The role that it is for; everybody without one. */
  readonly role?: Role
}

const ADMINS = { role: 'ROLE_ADMIN' } as const

const PAGES: Readonly<Record<ScriptPage, Declaration>> = {
  webhooks: {
    title: 'Events',
    lead: 'The inbox of webhooks: each event with its payload, its attempts and its deliveries.',
    ...ADMINS,
  },
  refused: { title: 'Refused', lead: 'Refused webhooks by cause, and how to fix each cause.', ...ADMINS },
  destinations: { title: 'Destinations', lead: 'Where events are delivered, and which of them fail.', ...ADMINS },
  deliveries: { title: 'Deliveries', lead: 'What a destination received, and what it lacks.', ...ADMINS },
  replays: { title: 'Replays', lead: 'Retries of many events at once, and their progress.', ...ADMINS },
  payments: { title: 'Payments & orders', lead: 'What the webhooks have done to payments and orders.', ...ADMINS },
  playground: {
    title: 'Endpoints',
    lead: 'Every endpoint with every way to authenticate: expected and actual answers.',
  },
  token: { title: 'Tokens', lead: 'What a JWT says, and whether the service accepts it.' },
  oauth: { title: 'OAuth login', lead: 'The last login with a provider: each message, and each check.' },
  users: { title: 'Users', lead: 'Accounts, their roles and their sessions.', ...ADMINS },
  keys: { title: 'API keys', lead: 'Keys for machines, and what each of them may do.', ...ADMINS },
  account: { title: 'Your account', lead: 'Your password, your passkeys and your sessions.' },
  audit: { title: 'Audit trail', lead: 'Logins, refusals and changes, each with its author.', ...ADMINS },
}

/**
 * The frame of a page that its script fills.
 * @throws ServiceError `ENDPOINT_NOT_FOUND` for a name of none
 */
export function scriptPage(name: string | undefined, view: View, site: Site): PageContent {
  const found = SCRIPT_PAGES.find((candidate) => candidate === name)
  if (found === undefined) throw fail('ENDPOINT_NOT_FOUND')
  const { title, lead, role } = PAGES[found]
  const common = { title, path: `/console/${found}`, frame: 'console' } as const
  const heading = html`<header class="bar line"><h1>${title}</h1></header>`
  const mayView = role === undefined || satisfies(view.principal?.roles ?? [], role)
  if (!mayView) return { ...common, main: html`${heading}\n${closed(view, lead, role)}` }
  const main = html`<div id="${ISLAND_ID}" class="island">
${heading}
<noscript><p class="pad">${lead} This page needs JavaScript. <a href="/">Home</a> and <a href="/login">login</a> do not.</p></noscript>
</div>
${jsonBlock(FACTS_ID, factsOf(view, site))}`
  return { ...common, main, script: found }
}

function closed({ principal, address }: View, lead: string, role: Role): Html {
  const login = loginAddress(address)
  const reason = principal
    ? html`This page needs ${role}. You are ${principal.username}, who does not have it.`
    : html`This page needs ${role}. You are not logged in.`
  return html`<div class="empty">
<h2>${lead}</h2>
<p class="muted">${reason}</p>
<a class="btn main-btn" href="${login}">Log in${principal ? ' as another user' : ''}</a>
</div>`
}

/** The facts for the script of a page. */
function factsOf(
  { principal, csrfToken, providers }: View,
  { manifest, stompUrl, grpcUrl, profile, permissions, passkeys, demoUsers, demoTokens }: Site,
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
    icons: `/assets/${manifest.icons}`,
    csrfToken,
    stompUrl: stompUrl?.href ?? null,
    grpcUrl: grpcUrl?.origin ?? null,
    profile,
    accepts: { bearer, basic, stores },
    providers,
    passkeys,
    permissions,
    demoUsers,
    demoTokens: demoTokens ?? null,
  }
}

/** The reference of the API; its script adds only the search, and the calls that one tries. */
export function docsPage(reference: Html, view: View, site: Site): PageContent {
  const main = html`<header class="bar line"><h1>API reference</h1>
<search class="field" hidden>${iconsOf(site.manifest)('search')}<input type="search" aria-label="Search the operations" placeholder="Search">
<span class="muted small num" role="status"></span></search>
<a class="btn push" href="/openapi.json">OpenAPI</a>
<a class="btn" href="/assets/${site.manifest.asyncapi}">AsyncAPI</a></header>
${reference}\n${jsonBlock(FACTS_ID, factsOf(view, site))}`
  return { title: 'API reference', path: '/docs', frame: 'console', main, script: 'docs' }
}
