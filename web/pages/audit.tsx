import type { trailPage } from '../../lib/contract/answers/trail.ts'
import type { Response } from '../ask.ts'
import { ACTIONS, deedOf, type Entry } from '../audit-actions.ts'
import { mount } from '../mount.tsx'
import { type Look, LookBadge } from '../ui/badge.tsx'
import { listPage } from '../ui/list-page.tsx'
import { timeColumn } from '../ui/list-table.tsx'
import { Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'

const OUTCOMES = {
  done: { label: 'Done', tone: 'ok' },
  refused: { label: 'Refused', tone: 'wait' },
  failed: { label: 'Failed', tone: 'bad' },
} as const satisfies Record<Entry['outcome'], Look>

mount(
  listPage<Response<typeof trailPage>, Entry>({
    title: 'Audit trail',
    caption: 'Actions of users and operators, newest first',
    path: '/api/audit',
    rowsOf: ({ entries }) => entries,
    keyOf: ({ id }) => id,
    filters: [
      { name: 'q', label: 'Name or id' },
      { name: 'actor', label: 'By', kind: 'name' },
      { name: 'target', label: 'About', kind: 'name' },
      { name: 'action', label: 'Action', options: ACTIONS },
      { name: 'outcome', label: 'Outcome', options: OUTCOMES },
      { name: 'reads', label: 'Readings of payloads', kind: 'mark' },
      { name: 'from', label: 'Since', kind: 'since' },
    ],
    columns: [
      timeColumn('At', '', ({ at }) => at),
      { head: 'Action', class: 'fill', cell: (entry) => <b class="wrap">{deedOf(entry)}</b> },
      { head: 'By', cell: ({ actor }) => actor?.name ?? actor?.uid ?? <span class="muted">unknown</span> },
      { head: 'From', class: 'c3', cell: ({ from }) => <code class="muted">{from}</code> },
      { head: 'Outcome', cell: outcomeOf },
    ],
    empty: 'No action matches',
    pane: (entry) => ({
      title: deedOf(entry),
      note: <code>{entry.action}</code>,
      children: <Details {...entry} />,
    }),
  }),
)

function outcomeOf({ outcome, error }: Pick<Entry, 'outcome' | 'error'>) {
  return (
    <>
      <LookBadge look={OUTCOMES[outcome]} />{' '}
      {error && <span class="small muted c2">{error.toLowerCase().replaceAll('_', ' ')}</span>}
    </>
  )
}

function Details({ at, outcome, error, actor, nameHash, target, change, from, requestId }: Entry) {
  const code = (text: string | null | undefined) => text && <code>{text}</code>
  const changes = Object.entries(change ?? {}).map(([name, value]) => [name, code([value].flat().join(', '))] as const)
  return (
    <>
      <Part title="Who">
        <Facts
          rows={{
            Name: actor?.name && (
              <a href={`/console/audit?${new URLSearchParams({ actor: actor.name })}`}>{actor.name}</a>
            ),
            Account: code(actor?.uid),
            'Authenticated by': actor?.authType,
            'API key': code(actor?.keyId),
            'Hash of the name': code(nameHash),
            From: code(from),
          }}
        />
      </Part>
      <Part title="What">
        <Facts
          rows={{
            At: <LiveTime at={at} />,
            Outcome: outcomeOf({ outcome, error }),
            Target: target?.type,
            Id: code(target?.id),
            Name: target?.name,
            ...Object.fromEntries(changes),
            Request: code(requestId),
          }}
        />
      </Part>
    </>
  )
}
