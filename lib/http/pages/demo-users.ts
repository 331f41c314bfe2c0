import { PROFILES, type Profile } from '../../auth/profile.ts'
import type { DemoUser } from '../../contract/console.ts'
import { type Html, html } from './html.ts'
import type { Site } from './site.ts'

const STORES = { jdbc: 'database', ldap: 'directory' } as const

interface Command {
  /** What it does. */
  readonly label: string
  readonly isFor: (profile: Profile, user: DemoUser) => boolean
  readonly text: (origin: string, user: DemoUser) => string
}

const fields = ({ username, password }: DemoUser) => `-d username=${username} -d password=${password}`

/** One for each way in, shown for the first user that it is for. */
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

/** The users that a local run made up, with commands that log in as them; nothing where there are none. */
export function demoUsersSection({ demoUsers: all, profile, baseUrl }: Site): Html | undefined {
  const users = usersOf(profile, all)
  if (users.length === 0) return undefined
  const commands = COMMANDS.flatMap((command) => {
    const user = users.find((candidate) => command.isFor(profile, candidate))
    return user ? [item(command.label, command.text(baseUrl.origin, user))] : []
  })
  return html`<section class="card" aria-labelledby="demo-users">
<h2 id="demo-users">Demo users</h2>
<p class="muted">They are here because this is a local run.</p>
<section class="scroll" aria-label="Names and passwords" tabindex="0">
<table>
<thead><tr><th scope="col">User name</th><th scope="col">Password</th><th scope="col">Role</th><th scope="col">Kept in</th></tr></thead>
<tbody>
${users.map(row)}</tbody>
</table>
</section>
<h3>From a terminal</h3>
<dl class="commands">
${commands}</dl>
</section>`
}

/** The users whose passwords count in a profile. */
export function usersOf(profile: Profile, all: readonly DemoUser[]): readonly DemoUser[] {
  return all.filter(({ store }) => PROFILES[profile].stores.some((known) => known === STORES[store]))
}

function row({ username, password, role, store }: DemoUser): Html {
  return html`<tr><th scope="row"><code>${username}</code></th><td><code>${password}</code></td><td>${role ?? 'none'}</td><td>${STORES[store]}</td></tr>\n`
}

function item(label: string, command: string): Html {
  return html`<dt>${label}</dt><dd><pre class="command" data-copy="${label}">${command}</pre></dd>\n`
}
