import type { replayPage } from '../../lib/contract/answers/deliveries.ts'
import type { Response } from '../ask.ts'
import { mount } from '../mount.tsx'
import { NewReplayDialog } from '../new-replay-dialog.tsx'
import { type Look, LookBadge } from '../ui/badge.tsx'
import { DialogButton } from '../ui/dialog.tsx'
import { listPage } from '../ui/list-page.tsx'
import { timeColumn } from '../ui/list-table.tsx'
import { Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'

type Replay = Response<typeof replayPage>['replays'][number]

mount(
  listPage<Response<typeof replayPage>, Replay>({
    title: 'Replays',
    caption: 'Replays, the newest first',
    path: '/api/webhooks/replays',
    rowsOf: ({ replays }) => replays,
    keyOf: ({ replayId }) => replayId,
    isMoving: ({ state }) => state === 'RUNNING',
    columns: [
      { head: 'State', cell: (replay) => <LookBadge look={lookOf(replay)} /> },
      { head: 'Replay', class: 'fill', cell: (replay) => <b>{purposeOf(replay)}</b> },
      { head: 'Finished', class: 'end num', cell: ({ done, failed, matched }) => `${done + failed} of ${matched}` },
      { head: 'Failed', class: 'end num c2', cell: ({ failed }) => failed },
      { head: 'By', class: 'c2', cell: ({ user }) => user },
      timeColumn('Started', 'end', ({ acceptedAt }) => acceptedAt),
    ],
    actions: ({ reread }) => (
      <DialogButton class="main-btn" dialog={(close) => <NewReplayDialog close={close} done={reread} />}>
        Retry failed events …
      </DialogButton>
    ),
    empty: 'A replay retries all failed events that match a filter, or delivers past events again.',
    pane: (replay) => ({
      title: <LookBadge look={lookOf(replay)} />,
      note: <code>{replay.replayId}</code>,
      children: <Details {...replay} />,
    }),
  }),
)

function lookOf({ state, matched, done, failed }: Replay): Look {
  if (state === 'RUNNING') return { label: 'Running', tone: 'run' }
  if (done + failed < matched) return { label: 'All ordered', tone: 'run' }
  return failed > 0 ? { label: `Done, ${failed} failed`, tone: 'wait' } : { label: 'Done', tone: 'ok' }
}

function purposeOf({ destination, filter }: Pick<Replay, 'destination' | 'filter'>): string {
  const { source, type, q } = filter
  const what = [source, type, q].filter((text) => text !== undefined).join(' ') || 'all sources'
  return destination === null ? `Retry of failed events: ${what}` : `Delivery to ${destination}: ${what}`
}

function Details({ matched, done, failed, destination, filter, reason, ratePerSecond, user, acceptedAt }: Replay) {
  const conditions = Object.entries(filter).map(([name, value]) => [name, <code key={name}>{String(value)}</code>])
  return (
    <>
      <Part title="Progress">
        <progress max={matched || 1} value={matched === 0 ? 1 : done + failed} aria-label="Events" />
        <p>
          {done + failed} of {matched}: {done} {destination === null ? 'processed' : 'delivered'}, {failed}{' '}
          {destination === null ? 'failed again' : 'dead'}
        </p>
      </Part>
      <Part title="Order">
        <Facts
          rows={{
            What: purposeOf({ destination, filter }),
            ...Object.fromEntries(conditions),
            'Events a second': ratePerSecond,
            By: user,
            Reason: reason,
            Started: <LiveTime at={acceptedAt} />,
          }}
        />
      </Part>
    </>
  )
}
