import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Response } from '../ask.ts'
import { recordTime } from '../events/record.ts'
import { pageAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/list-table.tsx'
import { pagedOf } from '../ui/paged.ts'
import { Pane, Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime, ShortTime } from '../ui/times.tsx'
import { NewReplayDialog } from './new-replay-dialog.tsx'

type Replay = Response<'replays'>['replays'][number]

/** How often the page looks at replays that run, in milliseconds. */
const POLL_MS = 2000

const address = pageAddress(['open'])
const list = pagedOf('/api/webhooks/replays', ({ replays: rows, nextCursor }: Response<'replays'>) => ({
  rows,
  nextCursor,
}))

const COLUMNS: readonly Column<Replay>[] = [
  { head: 'State', cell: (replay) => <State replay={replay} /> },
  { head: 'Replay', class: 'fill', cell: (replay) => <b>{purposeOf(replay)}</b> },
  { head: 'Done', class: 'end num', cell: ({ done, failed, matched }) => `${done + failed} of ${matched}` },
  { head: 'Failed', class: 'end num c2', cell: ({ failed }) => failed },
  { head: 'By', class: 'c2', cell: ({ user }) => user },
  { head: 'Started', class: 'end', cell: ({ acceptedAt }) => <ShortTime at={recordTime(acceptedAt)} /> },
]

export function ReplaysPage() {
  const isNew = useSignal(false)
  const isRunning = list.rows.value?.some(({ state }) => state === 'RUNNING') ?? false
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) void list.read()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return (
    <>
      <ListPage
        title="Replays"
        caption="Replays, the newest first"
        address={address}
        filters={[]}
        list={list}
        columns={COLUMNS}
        keyOf={({ replayId }) => replayId}
        actions={
          <button type="button" class="btn main-btn" onClick={() => (isNew.value = true)}>
            Retry failed events …
          </button>
        }
        empty={
          <p class="muted">A replay retries all failed events that match a filter, or delivers past events again.</p>
        }
        pane={(replay) => <ReplayPane key={replay.replayId} replay={replay} />}
      />
      {isNew.value && <NewReplayDialog close={() => (isNew.value = false)} done={() => list.read()} />}
    </>
  )
}

function State({ replay: { state, failed } }: { readonly replay: Replay }) {
  if (state === 'RUNNING') return <Badge tone="run">Running</Badge>
  return failed > 0 ? <Badge tone="wait">Done, some failed</Badge> : <Badge tone="ok">Done</Badge>
}

function purposeOf({ destination, filter }: Replay): string {
  const { source, type } = filter
  const what = [source, type].filter((text) => text !== undefined).join(' ') || 'all sources'
  return destination === null ? `Retry of failed events: ${what}` : `Delivery to ${destination}: ${what}`
}

function ReplayPane({ replay }: { readonly replay: Replay }) {
  const { replayId, matched, done, failed, filter, reason, ratePerSecond, user, acceptedAt, state } = replay
  const total = Math.max(1, matched)
  return (
    <Pane title={<State replay={replay} />} note={<code>{replayId}</code>} close={() => address.go({ open: '' })}>
      <Part title="Progress">
        <progress max={total} value={state === 'DONE' ? total : done + failed} aria-label="Events" />
        <p>
          {done + failed} of {matched}: {done} {replay.destination === null ? 'processed' : 'delivered'}, {failed}{' '}
          {replay.destination === null ? 'failed again' : 'dead'}
        </p>
      </Part>
      <Part title="Order">
        <Facts
          rows={[
            ['What', purposeOf(replay)],
            ...Object.entries(filter).map(([name, value]) => [name, <code key={name}>{String(value)}</code>] as const),
            ['Events a second', ratePerSecond],
            ['By', user],
            ['Reason', reason],
            ['Started', <LiveTime key="at" at={recordTime(acceptedAt)} />],
          ]}
        />
      </Part>
    </Pane>
  )
}
