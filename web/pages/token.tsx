import { signal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import { JSON_HEADERS, makeCall } from '../call.ts'
import { demoCallers, NOBODY } from '../callers/caller.ts'
import { CallerFields } from '../callers/caller-fields.tsx'
import { facts } from '../facts.ts'
import { DecodedToken } from '../jwt/decoded-token.tsx'
import { logIn } from '../jwt/log-in.ts'
import { verdictOf } from '../jwt/verdict.ts'
import { type Verification, VerificationView } from '../jwt/verification.tsx'
import { mount } from '../mount.tsx'
import { Sheet } from '../ui/sheet.tsx'

const known = demoCallers('bearer', facts)
const caller = signal(known[0] ?? NOBODY)

/** Kept nowhere else: it disappears with the page. */
const token = signal('')
const verification = signal<Verification | undefined>(undefined)
const problem = signal<string | undefined>(undefined)

function change(text: string): void {
  token.value = text.trim()
  verification.value = undefined
  problem.value = undefined
}

async function takeMine(event: TargetedEvent<HTMLFormElement>): Promise<void> {
  event.preventDefault()
  const result = await logIn(caller.value.username, caller.value.password)
  change('token' in result ? result.token : '')
  if ('refusal' in result) problem.value = result.refusal
}

async function verify(): Promise<void> {
  const asked = token.value
  problem.value = undefined
  try {
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${asked}` }
    const answer = await makeCall({ method: 'GET', path: '/api/auth/info', headers, withSession: false })
    if (token.value === asked) verification.value = { verdict: verdictOf(answer), at: new Date(), text: answer.text }
  } catch {
    problem.value = 'It cannot be asked about: nobody answers, or the text holds what no header can carry.'
  }
}

function TokenPage() {
  return (
    <>
      <div class="columns">
        <Source />
        <Check />
      </div>
      <section class="card" aria-labelledby="decoded">
        <h2 id="decoded">What it says</h2>
        {token.value === '' ? (
          <p class="empty">Paste a token, or take yours.</p>
        ) : (
          <>
            <p class="muted">Read by this page alone. Anybody can write such a text: only the signature tells.</p>
            <DecodedToken token={token.value} />
          </>
        )}
      </section>
    </>
  )
}

function Source() {
  return (
    <section class="card" aria-labelledby="source">
      <h2 id="source">A token</h2>
      <form class="token-login" onSubmit={(event) => void takeMine(event)}>
        <CallerFields label="Take mine" caller={caller} known={known} />
        <button type="submit" disabled={caller.value.username === ''}>
          Log in for a token
        </button>
      </form>
      <div class="fields">
        <label for="token">Or paste one</label>
        <textarea
          id="token"
          rows={6}
          spellcheck={false}
          autocomplete="off"
          value={token.value}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      </div>
      <p class="muted">It stays in the memory of this page: it is stored nowhere, and in no address.</p>
    </section>
  )
}

function Check() {
  return (
    <section class="card" aria-labelledby="check">
      <h2 id="check">Does it hold?</h2>
      <p>Only the service can tell, for only it has the keys. The page sends the token to nobody else.</p>
      <div class="actions">
        <button type="button" onClick={() => void verify()}>
          Ask the service
        </button>
      </div>
      <div class="verification" role="status">
        {problem.value && (
          <p class="notice" data-tone="bad">
            {problem.value}
          </p>
        )}
        {verification.value && <VerificationView {...verification.value} />}
      </div>
    </section>
  )
}

mount(
  <Sheet title="Tokens">
    <div class="lab">
      <TokenPage />
    </div>
  </Sheet>,
)
