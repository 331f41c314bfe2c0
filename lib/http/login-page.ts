import { ServiceError } from '../errors.ts'
import { type Html, html } from './html.ts'
import { type HttpEvent, type Reply, redirect } from './message.ts'
import type { View } from './view.ts'

const NOTICES: readonly (readonly [parameter: string, role: string, text: string])[] = [
  ['error', 'alert', 'That did not work. Check the user name and the password, or try the other way in again.'],
  ['logout', 'status', 'You are logged out.'],
]

/** @param query the page's own parameters, of which only the names count */
export function loginPage({ csrfToken, providers }: View, query: Readonly<Record<string, string | undefined>>): Html {
  const notices = NOTICES.filter(([parameter]) => query[parameter] !== undefined)
  return html`<main>
<h1>Log in</h1>
${notices.map(([, role, text]) => html`<p role="${role}">${text}</p>`)}
<form method="post" action="/login">
<input type="hidden" name="_csrf" value="${csrfToken}">
<p><label>User name <input name="username" autocomplete="username" required autofocus></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password" required></label></p>
<p><button>Log in</button></p>
</form>
${providers.map((id) => html`<p><a href="/oauth2/authorization/${id}">Log in with ${id}</a></p>`)}
</main>`
}

/** A browser's form that was refused leads back to the login page; everybody else gets the error as it is. */
export async function orLoginPage({ headers }: HttpEvent, answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer()
  } catch (error) {
    const isRefusal = error instanceof ServiceError && error.is('BAD_CREDENTIALS')
    if (isRefusal && headers['accept']?.includes('text/html')) return redirect('/login?error')
    throw error
  }
}
