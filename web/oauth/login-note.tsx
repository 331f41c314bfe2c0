import { facts } from '../facts.ts'
import { LiveTime } from '../ui/live-time.tsx'
import { isProviderSession, login, problem, readLogin } from './record.ts'

/** Whose login the diagram shows, or that it shows none. */
export function LoginNote() {
  if (problem.value !== undefined)
    return (
      <div class="note row flow" data-tone="bad" role="alert">
        <p>{problem}</p>
        <button type="button" class="btn" onClick={() => void readLogin()}>
          Try again
        </button>
      </div>
    )
  if (login.value)
    return (
      <p class="muted small">
        You logged in with {login.value.provider}, <LiveTime at={new Date(login.value.at)} />.
      </p>
    )
  if (isProviderSession)
    return (
      <p class="muted small" role="status">
        Loading …
      </p>
    )
  return (
    <p class="muted small">
      This is how a login works. {facts.user ? 'You logged in with a password.' : 'You are not logged in.'}{' '}
      {facts.providers.length === 0
        ? 'No provider is offered here.'
        : 'Log in with a provider, and the page shows that login.'}
    </p>
  )
}
