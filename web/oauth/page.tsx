import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { PROVIDER_NAMES } from '../../lib/contract/login-steps.ts'
import { ask, type Response, wordsOf } from '../ask.ts'
import { facts } from '../facts.ts'
import { LiveTime } from '../ui/live-time.tsx'
import { STEPS } from './meanings.ts'
import { StepCard } from './step-card.tsx'

const login = signal<Response<'oauth2Steps'> | undefined>(undefined)
const problem = signal<string | undefined>(undefined)

async function read(): Promise<void> {
  problem.value = undefined
  try {
    login.value = await ask('/api/oauth2/steps')
  } catch (error) {
    problem.value = wordsOf(error)
  }
}

/** The login with which the session of the page began. */
export function OAuthPage() {
  return facts.user?.authType === 'OAuth2' ? <LastLogin /> : <NoLogin />
}

function LastLogin() {
  useEffect(() => void read(), [])
  if (problem.value !== undefined) {
    return (
      <div class="notice" data-tone="bad" role="alert">
        <p>{problem}</p>
        <button type="button" class="quiet" onClick={() => void read()}>
          Try again
        </button>
      </div>
    )
  }
  if (login.value === undefined) {
    return (
      <p class="empty" role="status">
        Loading …
      </p>
    )
  }
  const { provider, at, steps } = login.value
  return (
    <div class="login-steps">
      <p>
        You logged in with <strong>{provider}</strong> at <LiveTime at={new Date(at)} />. A secret is cut to its first
        characters and …; the rest of it was not kept.
      </p>
      {steps.map((step, index) => (
        <StepCard key={index} step={step} number={index + 1} />
      ))}
      <section class="card" aria-labelledby="again">
        <h2 id="again">Once more</h2>
        <ProviderLinks />
      </section>
    </div>
  )
}

function NoLogin() {
  return (
    <div class="login-steps">
      <section class="card" aria-labelledby="begin">
        <h2 id="begin">{facts.user ? 'You logged in with the form' : 'You are not logged in'}</h2>
        <p>Log in with a provider, and this page shows how that went.</p>
        <ProviderLinks />
      </section>
      <section class="card" aria-labelledby="ahead">
        <h2 id="ahead">What there will be to see</h2>
        <ol class="ahead">
          {Object.entries(STEPS).map(([name, { title, text }]) => (
            <li key={name}>
              <strong>{title}</strong> <span class="muted">{text}</span>
            </li>
          ))}
        </ol>
        <p class="muted">
          Google speaks OpenID Connect and has an ID token to check; GitHub and Facebook speak plain OAuth2, and
          something else stands in for it.
        </p>
      </section>
    </div>
  )
}

function ProviderLinks() {
  if (facts.providers.length === 0) {
    return <p class="muted">No provider is offered here: the profile has none, or none is set up.</p>
  }
  return (
    <div class="actions">
      {facts.providers.map((id) => (
        <a key={id} class="button quiet" href={`/oauth2/authorization/${id}?returnTo=%2Fconsole%2Foauth`}>
          Log in with {PROVIDER_NAMES[id]}
        </a>
      ))}
    </div>
  )
}
