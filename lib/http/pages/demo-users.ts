import { PROFILES, type Profile } from '../../auth/profile.ts'
import type { DemoUser } from '../../contract/console.ts'
import { type DrawIcon, type Html, html } from './html.ts'
import type { Site, View } from './site.ts'

const STORES = { jdbc: 'database', ldap: 'directory' } as const

interface Command {
  /** What it does. */
  readonly label: string
  readonly isFor: (profile: Profile, user: DemoUser) => boolean
  readonly text: (origin: string, user: DemoUser) => string
}

const fields = ({ username, password }: DemoUser) => `-d username=${username} -d password=${password}`

/** One for each authentication method, shown for the first user who can use it. */
const COMMANDS: readonly Command[] = [
  {
    label: 'JWT',
    isFor: (profile) => PROFILES[profile].bearer,
    text: (origin, user) =>
      `TOKEN=$(curl -s ${origin}/api/auth/login ${fields(user)} | sed -n 's/.*"token":"\\([^"]*\\)".*/\\1/p')
curl -H "Authorization: Bearer $TOKEN" ${origin}/api/auth/info`,
  },
  {
    label: 'HTTP Basic, database',
    isFor: (profile, { store }) => PROFILES[profile].basic && store === 'jdbc',
    text: (origin, { username, password }) => `curl -u ${username}:${password} ${origin}/api/jdbc/users`,
  },
  {
    label: 'HTTP Basic, directory',
    isFor: (profile, { store }) => PROFILES[profile].basic && store === 'ldap',
    text: (origin, { username, password }) => `curl -u ${username}:${password} ${origin}/api/ldap/users`,
  },
  {
    label: 'Session',
    isFor: () => true,
    text: (origin, user) =>
      `curl -s -c cookies.txt ${origin}/login ${fields(user)}
curl -b cookies.txt ${origin}/api/auth/info`,
  },
]

/** The users that a local run made up: for each a button that logs in as that user, and commands for a terminal. */
export function demoUsersSection(view: View, site: Site, returnTo: string, draw: DrawIcon): Html | undefined {
  const { demoUsers: all, profile, baseUrl } = site
  const users = usersOf(profile, all)
  if (users.length === 0) return undefined
  const commands = COMMANDS.flatMap((command) => {
    const user = users.find((candidate) => command.isFor(profile, candidate))
    return user ? [item(command.label, command.text(baseUrl.origin, user))] : []
  })
  return html`<section class="stack" aria-labelledby="demo-users">
<h2 id="demo-users" class="small muted">Demo users of the local stage, one click</h2>
<ul class="stack tight">
${users.map((user) => html`<li>${login(user, view, returnTo, wideButton(user, draw))}</li>\n`)}</ul>
<details class="small"><summary>Commands for a terminal</summary>
<dl class="commands">
${commands}</dl>
</details>
</section>`
}

/** A button for one demo user of each role; undefined where there are none. */
export function demoLogins(view: View, { demoUsers, profile }: Site, draw: DrawIcon): Html | undefined {
  const users = [...Map.groupBy(usersOf(profile, demoUsers), ({ role }) => role).values()].flatMap(
    ([first]) => first ?? [],
  )
  if (users.length === 0) return undefined
  const button = (user: DemoUser, index: number) =>
    html`<button type="submit" class="btn big${index === 0 ? ' main-btn' : ''}">${draw('user')}<span>${user.username} <span class="small">${roleOf(user)}</span></span></button>`
  return html`<div class="row flow"><span class="small muted">Log in as</span>
${users.map((user, index) => login(user, view, '/', button(user, index)))}<a class="small" href="/login">All users</a>
</div>`
}

/** The users whose passwords a profile accepts. */
export function usersOf(profile: Profile, all: readonly DemoUser[]): readonly DemoUser[] {
  return all.filter(({ store }) => PROFILES[profile].stores.some((known) => known === STORES[store]))
}

function login({ username, password }: DemoUser, { csrfToken }: View, returnTo: string, button: Html): Html {
  return html`<form method="post" action="/login">
${hidden('_csrf', csrfToken)}${hidden('username', username)}${hidden('password', password)}${returnTo === '/' ? undefined : hidden('returnTo', returnTo)}${button}
</form>`
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">\n`
}

function wideButton(user: DemoUser, draw: DrawIcon): Html {
  return html`<button type="submit" class="btn big line-btn">${draw('user')}<b>${user.username}</b> <span class="muted small">${roleOf(user)}</span> <span class="push muted small">${STORES[user.store]}</span>${draw('right')}</button>`
}

function roleOf({ role }: DemoUser): string {
  return role ?? 'no role'
}

function item(label: string, command: string): Html {
  return html`<dt>${label}</dt><dd class="stack tight"><pre class="code" tabindex="0" data-copy="${label}">${command}</pre></dd>\n`
}
