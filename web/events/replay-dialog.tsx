import { Modal } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { place } from './navigation.ts'
import { countReplay, isReplayOffered, runReplay, type Stage, stage } from './replays.ts'
import { rangeLabel } from './time-range.ts'

/** Counts all failed events that match the filter, and asks whether to run them again. */
export function ReplayButton() {
  const { filter } = place.value
  if (!filter.status.includes('FAILED')) return null
  const isOffered = isReplayOffered(filter)
  return (
    <>
      <button
        type="button"
        class="btn"
        disabled={!isOffered}
        title={isOffered ? undefined : 'Choose at most one source and one type.'}
        onClick={() => void countReplay()}
      >
        <Icon name="retry" />
        Retry all …
      </button>
      {stage.value && (
        <Modal title="Retry all failed events that match" close={() => (stage.value = undefined)}>
          <Content current={stage.value} />
        </Modal>
      )}
    </>
  )
}

function Content({ current }: { readonly current: Stage }) {
  if (current.kind === 'counting') return <p role="status">Counting …</p>
  if (current.kind === 'counted') return <Question {...current} />
  if (current.kind === 'started') return <Started {...current} />
  return (
    <p class="note" data-tone="bad" role="alert">
      {current.problem}
    </p>
  )
}

function Question({ order, matched }: Extract<Stage, { kind: 'counted' }>) {
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const reason = String(fields.get('reason'))
    void runReplay(order, { ratePerSecond: Number(fields.get('rate')), ...(reason !== '' && { reason }) })
  }

  const count = matched === 1 ? '1 failed event matches' : `${matched.toLocaleString('en')} failed events match`
  return (
    <form class="form" onSubmit={submit}>
      <p role="status">
        <strong>{count}</strong> ({rangeLabel(place.value.filter)}).
      </p>
      {matched > 0 && (
        <>
          <label for="reason">Reason, for the history of each event (optional)</label>
          <div class="field">
            <input id="reason" name="reason" maxLength={256} />
          </div>
          <label for="rate">Events per second</label>
          <div class="field">
            <input id="rate" name="rate" type="number" min="1" max="1000" value="10" required />
          </div>
          <button type="submit" class="btn main-btn">
            Retry {matched === 1 ? 'it' : `all ${matched.toLocaleString('en')}`}
          </button>
        </>
      )}
    </form>
  )
}

function Started({ replay: { replayId, matched } }: Extract<Stage, { kind: 'started' }>) {
  return (
    <div class="stack" role="status">
      <p>
        <strong>
          The replay of {matched === 1 ? '1 event' : `${matched.toLocaleString('en')} events`} has started.
        </strong>{' '}
        It goes on when you leave this page.
      </p>
      <a class="btn main-btn" href={`/console/replays?open=${encodeURIComponent(replayId)}`}>
        Show its progress
      </a>
    </div>
  )
}
