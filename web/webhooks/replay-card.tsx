import { useEffect, useRef } from 'preact/hooks'
import { place } from './feed.ts'
import { isEverything } from './place.ts'
import { count, finish, isReplayOffered, replayProblem, run, type Stage, stage } from './replays.ts'

/** Counts all failed events that match the filter, before they run again. */
export function ReplayButton() {
  const { kind } = stage.value
  const { filter } = place.value
  const isOpen = kind === 'counted' || kind === 'started'
  if (isOpen || !isReplayOffered(filter)) return null
  return (
    <button type="button" class="quiet small" disabled={kind === 'counting'} onClick={() => void count()}>
      {isEverything(filter) ? 'Retry all failed …' : 'Retry all failed that match …'}
    </button>
  )
}

/** Asks whether to run the counted events again, and shows the progress. */
export function ReplayCard() {
  const current = stage.value
  return (
    <>
      {replayProblem.value !== undefined && (
        <p class="notice" data-tone="bad" role="alert">
          {replayProblem}
        </p>
      )}
      {current.kind === 'counted' && <Question {...current} />}
      {current.kind === 'started' && <Progress {...current} />}
    </>
  )
}

function Question({ order, matched }: Extract<Stage, { kind: 'counted' }>) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const reason = String(fields.get('reason'))
    void run(order, { ratePerSecond: Number(fields.get('rate')), ...(reason !== '' && { reason }) })
  }

  return (
    <form class="card replay" onSubmit={submit}>
      <h2 tabIndex={-1} ref={heading}>
        {matched === 1 ? '1 failed event matches' : `${matched} failed events match`}
      </h2>
      {matched > 0 && (
        <div class="pair">
          <div class="field">
            <label for="reason">Why (if you like)</label>
            <input id="reason" name="reason" maxLength={256} />
          </div>
          <div class="field">
            <label for="rate">A second</label>
            <input id="rate" name="rate" type="number" min="1" max="1000" value="10" required />
          </div>
        </div>
      )}
      <div class="actions">
        {matched > 0 && <button type="submit">Run {matched === 1 ? 'it' : `all ${matched}`} again</button>}
        <button type="button" class="quiet" onClick={finish}>
          {matched > 0 ? 'Cancel' : 'Close'}
        </button>
      </div>
    </form>
  )
}

function Progress({ replay: { state, matched, done, failed } }: Extract<Stage, { kind: 'started' }>) {
  const isDone = state === 'DONE'
  return (
    <section class="card replay" aria-label="Retry of many">
      <div role="status">
        <h2>{isDone ? 'All have run again' : 'Running again …'}</h2>
      </div>
      <progress max={Math.max(1, matched)} value={isDone ? Math.max(1, matched) : done + failed} aria-label="Events" />
      <p>
        {done + failed} of {matched}: <span class="good">{done} processed</span>, {failed} failed again
      </p>
      {isDone && (
        <div class="actions">
          <button type="button" class="quiet" onClick={finish}>
            Close
          </button>
        </div>
      )}
    </section>
  )
}
