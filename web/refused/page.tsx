import type { Response } from '../ask.ts'
import { recordTime } from '../events/record.ts'
import { pageAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { FilterChoice } from '../ui/filter-choice.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/list-table.tsx'
import { pagedOf } from '../ui/paged.ts'
import { Pane, Part } from '../ui/pane.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Facts, Tall } from '../ui/text.tsx'
import { LiveTime, ShortTime } from '../ui/times.tsx'
import { type ListedRefusal, REASONS } from './reasons.ts'

const address = pageAddress(['q', 'reason', 'open'])
const list = pagedOf('/api/webhooks/refusals', ({ refusals: rows, nextCursor }: Response<'webhookRefusals'>) => ({
  rows,
  nextCursor,
}))

const COLUMNS: readonly Column<ListedRefusal>[] = [
  {
    head: 'Cause and verdict',
    class: 'fill',
    cell: ({ reason, verdict }) => (
      <Tall first={<Badge tone={REASONS[reason].tone}>{REASONS[reason].label}</Badge>} second={verdict.sentence} />
    ),
  },
  { head: 'Source', class: 'c2', cell: ({ source }) => source },
  { head: 'From', class: 'c3', cell: ({ address: from }) => <code class="muted">{from}</code> },
  { head: 'Calls', class: 'end num', cell: callsOf },
  { head: 'Last', class: 'end', cell: ({ lastAt }) => <ShortTime at={recordTime(lastAt)} /> },
]

/** With the sign for “at least” where the number is a lower bound. */
function callsOf({ count, atLeast }: ListedRefusal): string {
  return `${atLeast ? '≥ ' : ''}${count}`
}

const close = () => address.go({ open: '' })

export function RefusedPage() {
  const { q = '', reason = '' } = address.fields.value
  return (
    <ListPage
      title="Refused"
      caption="Refused calls by cause, the last one first"
      address={address}
      filters={['q', 'reason']}
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      isTall
      toolbar={
        <>
          <SearchField
            label="Source, cause or address"
            value={q}
            search={(text) => address.go({ q: text, open: '' })}
          />
          <FilterChoice
            label="Cause"
            value={reason}
            options={Object.entries(REASONS).map(([name, { label }]) => [name, label])}
            choose={(value) => address.go({ reason: value, open: '' })}
          />
        </>
      }
      empty={<p class="muted">No webhook was refused in the last seven days, as far as these filters go.</p>}
      foot="Bodies and signatures of refused calls are never kept. A row stays for seven days."
      pane={(refusal) => <RefusalPane key={refusal.id} refusal={refusal} />}
    />
  )
}

function RefusalPane({ refusal }: { readonly refusal: ListedRefusal }) {
  const { label, tone, advice } = REASONS[refusal.reason]
  const { source, count, verdict, firstAt, lastAt, size, headers } = refusal
  return (
    <Pane
      title={
        <>
          {label}{' '}
          <Badge tone={tone} isSolid>
            {`${callsOf(refusal)} ${count === 1 ? 'call' : 'calls'}`}
          </Badge>
        </>
      }
      note={`${source} · ${refusal.address}`}
      close={close}
    >
      <div class="note" data-tone={tone}>
        <p>
          <strong>{verdict.sentence}</strong>
        </p>
        <p class="small">{advice}</p>
      </div>
      <Part title="Calls">
        <Facts
          rows={[
            ['First', <LiveTime key="first" at={recordTime(firstAt)} />],
            ['Last', <LiveTime key="last" at={recordTime(lastAt)} />],
            ['Address', <code key="from">{refusal.address}</code>],
            ['Body', `${size} bytes, not kept`],
          ]}
        />
      </Part>
      <Part title="Headers of the last call">
        <Facts
          rows={Object.entries(headers).map(([name, value]) => [
            name,
            value === null ? <span class="muted">not kept</span> : <code>{value}</code>,
          ])}
        />
      </Part>
      <Part title="Judge a recording">
        <pre class="code">{`npm run explain -- ${source} call.http --at ${recordTime(lastAt).toISOString()}`}</pre>
      </Part>
    </Pane>
  )
}
