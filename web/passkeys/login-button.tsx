import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { CallRefused } from '../problem.ts'
import { hasPasskeys } from './browser.ts'
import { enterWithPasskey } from './log-in.ts'

/** Adds the login with a passkey below the login form, if the service offers it and the browser can. */
export function addPasskeyLogin(): void {
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
