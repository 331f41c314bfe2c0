import type { Response } from '../ask.ts'
import { pageAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Facts } from '../ui/facts.tsx'
import { FilterChoice } from '../ui/filter-choice.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/list-table.tsx'
import { LiveTime, ShortTime } from '../ui/live-time.tsx'
import { pagedOf } from '../ui/paged.ts'
import { Pane, Part } from '../ui/pane.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { ACTIONS, type Line, targetOf } from './actions.ts'
import { SinceField } from './since-field.tsx'

const address = pageAddress(['action', 'user', 'since', 'open'])
const list = pagedOf('/api/audit', ({ lines: rows, nextCursor }: Response<'auditTrail'>) => ({ rows, nextCursor }))

const COLUMNS: readonly Column<Line>[] = [
  { head: 'At', cell: ({ at }) => <ShortTime at={new Date(at)} /> },
  {
    head: 'Action',
    class: 'fill',
    cell: (line) => (
      <>
        <b>{ACTIONS[line.action]}</b> <span class="muted">{targetOf(line)}</span>
      </>
    ),
  },
  { head: 'By', class: 'c2', cell: ({ user, apiKey }) => user ?? apiKey ?? <span class="muted">unknown</span> },
  { head: 'From', class: 'c3', cell: ({ from }) => from && <code class="muted">{from}</code> },
  {
    head: 'Outcome',
    cell: ({ outcome }) =>
      outcome === null ? <Badge tone="ok">Done</Badge> : <Badge tone="wait">{outcome.toLowerCase()}</Badge>,
  },
]

export function AuditPage() {
  const { action = '', user = '', since = '' } = address.fields.value
  return (
    <ListPage
      title="Audit trail"
      caption="Actions of users and operators, oldest first"
      address={address}
      filters={['action', 'user', 'since']}
      list={list}
      columns={COLUMNS}
      keyOf={({ chain, seq }) => `${chain}/${seq}`}
      toolbar={
        <>
          <SearchField label="Id of an account" value={user} search={(text) => address.go({ user: text, open: '' })} />
          <FilterChoice
            label="Action"
            value={action}
            options={Object.entries(ACTIONS)}
            choose={(value) => address.go({ action: value, open: '' })}
          />
          <SinceField value={since} change={(value) => address.go({ since: value, open: '' })} />
        </>
      }
      empty={<p class="muted">Nobody did anything like that. Without a time, the list begins 24 hours ago.</p>}
      foot={
        <>
          <code>npm run audit -- verify</code> says whether lines are missing.
        </>
      }
      pane={(line) => <LinePane key={`${line.chain}/${line.seq}`} line={line} />}
    />
  )
}

function LinePane({ line }: { readonly line: Line }) {
  const { at, action, outcome, method, user, uid, authType, apiKey, nameHash, from, requestId, chain, seq } = line
  const code = (text: string | null) => text && <code>{text}</code>
  return (
    <Pane title={ACTIONS[action]} note={<code>{action}</code>} close={() => address.go({ open: '' })}>
      <Part title="Who">
        <Facts
          rows={[
            ['User', user],
            ['Account', code(uid)],
            ['Authenticated by', authType],
            ['API key', code(apiKey)],
            ['Login method', method],
            ['Hash of the name', code(nameHash)],
            ['From', code(from)],
          ]}
        />
      </Part>
      <Part title="What">
        <Facts
          rows={[
            ['At', <LiveTime key="at" at={new Date(at)} />],
            ['Outcome', outcome ?? 'done'],
            ...Object.entries(line.target).map(([name, value]) => [name, <code key={name}>{value}</code>] as const),
            ['Request', code(requestId)],
          ]}
        />
      </Part>
      <Part title="Proof">
        {line.authentic ? (
          <Badge tone="ok">Sealed by one of our keys</Badge>
        ) : (
          <Badge tone="bad">No key of ours sealed this line</Badge>
        )}
        <Facts
          rows={[
            ['Chain', code(chain)],
            ['Number', seq],
          ]}
        />
      </Part>
    </Pane>
  )
}
