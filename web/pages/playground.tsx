import { makeCall } from '../call.ts'
import { demoCallers } from '../callers/caller.ts'
import { CallerFields } from '../callers/caller-fields.tsx'
import { type PasswordWay, WAY_LABELS, type Way } from '../callers/ways.ts'
import { facts } from '../facts.ts'
import { logIn } from '../jwt/log-in.ts'
import { loginHere } from '../login-here.ts'
import { mount } from '../mount.tsx'
import { BreakIt } from '../playground/break-it.tsx'
import { Channels } from '../playground/channels.tsx'
import { Matrix } from '../playground/matrix.tsx'
import { createPlayground, isAsExpected } from '../playground/playground.ts'
import { isSessionOver } from '../session-call.ts'
import { Sheet } from '../ui/sheet.tsx'

const playground = createPlayground(facts, {
  exchange: makeCall,
  logIn,
  sessionEnded: () => {
    isSessionOver.value = true
  },
})

const hasPassword = (way: Way): way is PasswordWay => way !== 'none' && way !== 'session'

function PlaygroundPage() {
  return (
    <>
      <section class="card" aria-labelledby="callers">
        <h2 id="callers">Who calls</h2>
        <div class="callers">
          {playground.ways.filter(hasPassword).map((way) => (
            <CallerFields
              key={way}
              label={WAY_LABELS[way]}
              caller={playground.callers[way]}
              known={demoCallers(way, facts)}
              asksRole
            />
          ))}
          <SessionCaller />
        </div>
        <p class="muted">Names, passwords and tokens stay in the memory of this page.</p>
      </section>
      <section class="card" aria-labelledby="matrix">
        <h2 id="matrix">Every endpoint, every way in</h2>
        <p class="muted">
          Profile <code>{facts.profile}</code>. A number is the status that has to come back. No call changes anything:
          what would is incomplete (400) or names nothing that is there (404).
        </p>
        <RunAll />
        <Matrix playground={playground} />
      </section>
      <section class="card" aria-labelledby="break-it">
        <h2 id="break-it">Break it</h2>
        <p class="muted">Calls that have to be refused, and how.</p>
        <BreakIt playground={playground} />
      </section>
      <section class="card" aria-labelledby="channels">
        <h2 id="channels">The same token elsewhere</h2>
        <Channels playground={playground} />
      </section>
    </>
  )
}

function SessionCaller() {
  return (
    <fieldset class="fields">
      <legend>Session</legend>
      {facts.user ? (
        <p>
          {facts.user.username} ({facts.user.roles.join(', ') || 'no role'})
        </p>
      ) : (
        <p>
          Nobody. <a href={loginHere()}>Log in</a>
        </p>
      )}
    </fieldset>
  )
}

function RunAll() {
  const { progress, outcomes, runAll } = playground
  const all = [...outcomes.value.values()]
  const wrong = all.filter((outcome) => !isAsExpected(outcome)).length
  return (
    <div class="inline">
      <button type="button" disabled={progress.value !== undefined} onClick={() => void runAll()}>
        Run all
      </button>
      <span role="status">
        {progress.value && `${progress.value.done} of ${progress.value.total}`}
        {!progress.value && all.length > 0 && (
          <strong class="badge" data-tone={wrong === 0 ? 'good' : 'bad'}>
            {wrong === 0 ? `All ${all.length} as expected` : `${wrong} of ${all.length} not as expected`}
          </strong>
        )}
      </span>
    </div>
  )
}

mount(
  <Sheet title="Endpoints">
    <div class="lab">
      <PlaygroundPage />
    </div>
  </Sheet>,
)
