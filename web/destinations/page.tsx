import type { Response } from '../ask.ts'
import { recordTime } from '../events/record.ts'
import { pageAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/list-table.tsx'
import { pagedOf } from '../ui/paged.ts'
import { Tall } from '../ui/text.tsx'
import { ShortTime } from '../ui/times.tsx'
import { DestinationPane } from './destination-pane.tsx'
import { bySeverity, KINDS, type ListedDestination, lookOf } from './states.ts'

const address = pageAddress(['open'])
const list = pagedOf('/api/destinations', ({ destinations }: Response<'destinations'>) => ({
  rows: destinations.toSorted(bySeverity),
  nextCursor: null,
}))

const COLUMNS: readonly Column<ListedDestination>[] = [
  {
    head: 'State',
    cell: (destination) => {
      const { label, tone, icon = tone } = lookOf(destination)
      return (
        <Badge tone={tone} icon={icon} isSolid>
          {label}
        </Badge>
      )
    },
  },
  {
    head: 'Destination',
    class: 'fill',
    cell: ({ name, to, target }) => (
      <Tall
        first={
          <>
            <b>{name}</b> <span class="muted">{KINDS[to]}</span>
          </>
        }
        second={target}
      />
    ),
  },
  { head: 'Last answer', class: 'c2', cell: ({ lastAnswer }) => lastAnswer ?? <span class="muted">none yet</span> },
  {
    head: 'Oldest waiting',
    class: 'end c3',
    cell: ({ oldestAt }) => oldestAt && <ShortTime at={recordTime(oldestAt)} />,
  },
  { head: 'Waiting', class: 'end num', cell: ({ waiting }) => waiting.toLocaleString('en') },
]

export function DestinationsPage() {
  return (
    <ListPage
      title="Destinations"
      caption="Destinations, broken ones first"
      address={address}
      filters={[]}
      list={list}
      columns={COLUMNS}
      keyOf={({ name }) => name}
      isTall
      empty={
        <p class="muted">
          No destination is configured. Add one to <code>gatehouse.config.ts</code>: events then go to your own code, an
          HTTPS address, a queue or an event bus.
        </p>
      }
      foot="Destinations are configured in gatehouse.config.ts and change with a deployment."
      pane={(destination) => (
        <DestinationPane
          key={destination.name}
          destination={destination}
          reread={() => list.read()}
          close={() => address.go({ open: '' })}
        />
      )}
    />
  )
}
