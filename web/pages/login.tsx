import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { choosePasskey, hasPasskeys } from '../passkeys.ts'
import { CallRefused } from '../problem.ts'
import { CopyButton } from '../ui/copy-button.tsx'

/** Adds the login with a passkey below the login form, if the service offers it and the browser can. */
function addPasskeyLogin(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-passkeys]')
  if (!form || !hasPasskeys) return
  const fields = new FormData(form)
  const returnTo = fields.get('returnTo')
  const place = document.createElement('div')
  form.after(place)
  render(
    <PasskeyLogin
      csrfToken={String(fields.get('_csrf'))}
      returnTo={returnTo === null ? undefined : String(returnTo)}
    />,
    place,
  )
}

interface PasskeyLoginProps {
  readonly csrfToken: string
  readonly returnTo: string | undefined
}

function PasskeyLogin({ csrfToken, returnTo }: PasskeyLoginProps) {
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)

  async function logIn(): Promise<void> {
    problem.value = undefined
    isBusy.value = true
    try {
      location.assign(await enterWithPasskey(csrfToken, returnTo))
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error
      problem.value = error.message
    } finally {
      isBusy.value = false
    }
  }

  return (
    <div class="form">
      <button type="button" class="btn big" disabled={isBusy.value} onClick={() => void logIn()}>
        Log in with a passkey
      </button>
      {problem.value !== undefined && (
        <p class="note" data-tone="bad" role="alert">
          {problem.value}
        </p>
      )}
    </div>
  )
}

/** By the status of the answer. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: 'This passkey does not log in. It may have been removed from the account.',
  429: 'There were too many attempts. Wait a few minutes, then try again.',
}

/** Logs in with a passkey that the user chooses; the page to go to. @throws CallRefused */
async function enterWithPasskey(csrfToken: string, returnTo: string | undefined): Promise<string> {
  const options: PublicKeyCredentialRequestOptionsJSON = await post('/login/passkey/options', csrfToken)
  const credential = await choosePasskey(options)
  const { redirect }: { readonly redirect: string } = await post('/login/passkey', csrfToken, { credential, returnTo })
  return redirect
}

async function post<T>(path: string, csrfToken: string, body?: object): Promise<T> {
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'x-xsrf-token': csrfToken }
  const call = fetch(path, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) })
  const response = await call.catch(() => {
    throw new CallRefused('The service does not answer.')
  })
  if (response.ok) return response.json()
  throw new CallRefused(REFUSALS[response.status] ?? `The service answered ${response.status}.`)
}

/** Adds a copy button to every command that the server rendered with `data-copy`, which names the command. */
function addCopyButtons(): void {
  for (const command of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const place = document.createElement('span')
    command.after(place)
    render(<CopyButton text={command.textContent} of={command.dataset['copy'] ?? ''} />, place)
  }
}

addCopyButtons()
addPasskeyLogin()
