import type { Response } from '../ask.ts'
import { pageAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { FilterChoice } from '../ui/filter-choice.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/list-table.tsx'
import { pagedOf } from '../ui/paged.ts'
import { Pane, Part } from '../ui/pane.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime, ShortTime } from '../ui/times.tsx'
import { ACTIONS, deedOf, type Entry, OUTCOMES, TONES } from './actions.ts'

const FILTERS = ['q', 'actor', 'target', 'action', 'outcome', 'reads', 'from'] as const
const address = pageAddress([...FILTERS, 'open'])
const list = pagedOf('/api/audit', ({ entries: rows, ...page }: Response<'auditTrail'>) => ({ rows, ...page }))
const filter = (name: (typeof FILTERS)[number]) => (value: string) => address.go({ [name]: value, open: '' })

const COLUMNS: readonly Column<Entry>[] = [
  { head: 'At', cell: ({ at }) => <ShortTime at={new Date(at)} /> },
  { head: 'Action', class: 'fill', cell: (entry) => <b class="wrap">{deedOf(entry)}</b> },
  { head: 'By', cell: ({ actor }) => actor?.name ?? actor?.uid ?? <span class="muted">unknown</span> },
  { head: 'From', class: 'c3', cell: ({ from }) => <code class="muted">{from}</code> },
  { head: 'Outcome', cell: (entry) => <Outcome {...entry} /> },
]

export function AuditPage() {
  const { q = '', actor = '', target = '', action = '', outcome = '', reads, from = '' } = address.fields.value
  return (
    <ListPage
      title="Audit trail"
      caption="Actions of users and operators, newest first"
      address={address}
      filters={FILTERS}
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      toolbar={
        <>
          <SearchField label="Name or id" value={q} search={filter('q')} />
          <SearchField label="By" value={actor} search={filter('actor')} />
          <SearchField label="Target" value={target} search={filter('target')} />
          <FilterChoice label="Action" value={action} options={Object.entries(ACTIONS)} choose={filter('action')} />
          <FilterChoice label="Outcome" value={outcome} options={Object.entries(OUTCOMES)} choose={filter('outcome')} />
          <label class="small">
            <input type="checkbox" checked={reads === 'true'} onChange={() => filter('reads')(reads ? '' : 'true')} />{' '}
            Readings of payloads
          </label>
          <SinceField value={from} change={filter('from')} />
        </>
      }
      empty={<p class="muted">No action matches</p>}
      foot={!list.isComplete.value && 'Not all rows were looked at: narrow the filter or load more'}
      pane={(entry) => <EntryPane key={entry.id} entry={entry} />}
    />
  )
}

function Outcome({ outcome, error }: Entry) {
  return (
    <>
      <Badge tone={TONES[outcome]}>{OUTCOMES[outcome]}</Badge>{' '}
      {error && <span class="small muted c2">{error.toLowerCase().replaceAll('_', ' ')}</span>}
    </>
  )
}

function EntryPane({ entry }: { readonly entry: Entry }) {
  const { at, action, actor, nameHash, target, change, from, requestId } = entry
  const code = (text: string | null | undefined) => text && <code>{text}</code>
  return (
    <Pane title={deedOf(entry)} note={<code>{action}</code>} close={() => address.go({ open: '' })}>
      <Part title="Who">
        <Facts
          rows={[
            ['Name', actor?.name],
            ['Account', code(actor?.uid)],
            ['Authenticated by', actor?.authType],
            ['API key', code(actor?.keyId)],
            ['Hash of the name', code(nameHash)],
            ['From', code(from)],
          ]}
        />
      </Part>
      <Part title="What">
        <Facts
          rows={[
            ['At', <LiveTime key="at" at={new Date(at)} />],
            ['Outcome', <Outcome key="outcome" {...entry} />],
            ['Target', target?.type],
            ['Id', code(target?.id)],
            ['Name', target?.name],
            ...Object.entries(change ?? {}).map(([name, value]) => [name, code([value].flat().join(', '))] as const),
            ['Request', code(requestId)],
          ]}
        />
      </Part>
    </Pane>
  )
}

interface SinceFieldProps {
  /** A date-time in UTC without its zone, as the API has it; may be empty. */
  readonly value: string
  readonly change: (value: string) => void
}

/** When the list begins, in the viewer's zone. */
function SinceField({ value, change }: SinceFieldProps) {
  return (
    <div class="field">
      <label for="since" class="small muted">
        Since
      </label>
      <input
        id="since"
        type="datetime-local"
        value={value === '' ? '' : toLocal(new Date(`${value}Z`))}
        onChange={({ currentTarget }) =>
          change(currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString().slice(0, 19))
        }
      />
    </div>
  )
}

/** In the form of `datetime-local`. */
function toLocal(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
