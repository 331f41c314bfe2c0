import { type Html, html } from './html.ts'
import type { View } from './view.ts'

export function homePage({ principal, csrfToken }: View): Html {
  if (!principal)
    return html`<main><h1>Gatehouse</h1><p>You are not logged in.</p><p><a href="/login">Log in</a></p></main>`
  const { username, roles, authType, sessionExpiresAt } = principal
  return html`<main>
<h1>Gatehouse</h1>
<dl>
<dt>User</dt><dd>${username}</dd>
<dt>Roles</dt><dd>${roles.join(', ') || 'none'}</dd>
<dt>Authenticated by</dt><dd>${authType}</dd>
<dt>Session ends at</dt><dd>${sessionExpiresAt?.toISOString()}</dd>
</dl>
${logOut('/logout', 'Log out', csrfToken)}
${logOut('/logout?everywhere=true', 'Log out everywhere', csrfToken)}
</main>`
}

function logOut(action: string, label: string, csrfToken: string): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="_csrf" value="${csrfToken}"><button>${label}</button></form>`
}
