import { type DemoIdentity, usernameOf } from './identity.ts'

/** The field with the chosen user, and its value for a cancelled login. */
const FIELD = 'user'
const CANCEL = 'cancel'

/** A page that lists the demo users, and posts the choice to its own address. */
export function providerLoginPage(provider: string, identities: readonly DemoIdentity[]): string {
  const buttons = identities.map(
    (identity) =>
      `<p><button name="${FIELD}" value="${usernameOf(identity)}">${identity.name ?? identity.login}</button> ${usernameOf(identity)}</p>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${provider} (demo)</title>
<h1>${provider} (demo)</h1>
<form method="post">
${buttons.join('\n')}
<p><button name="${FIELD}" value="${CANCEL}">Cancel</button></p>
</form>
</html>
`
}

/** The chosen user; undefined for a cancelled login. */
export function chosenOf(form: URLSearchParams, identities: readonly DemoIdentity[]): DemoIdentity | undefined {
  return identities.find((identity) => usernameOf(identity) === form.get(FIELD))
}
