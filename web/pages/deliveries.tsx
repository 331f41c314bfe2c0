import type { deliveryPage } from '../../lib/contract/answers/deliveries.ts'
import type { Response } from '../ask.ts'
import { DELIVERY_LOOKS } from '../events/deliveries.tsx'
import { EVERYTHING, searchOf } from '../events/place.ts'
import { recordName } from '../events/record.ts'
import { mount } from '../mount.tsx'
import { NewReplayDialog } from '../new-replay-dialog.tsx'
import { pageAddress } from '../ui/address.ts'
import { LookBadge } from '../ui/badge.tsx'
import { DialogButton } from '../ui/dialog.tsx'
import { listPage } from '../ui/list-page.tsx'
import { timeColumn } from '../ui/list-table.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'

type Delivery = Response<typeof deliveryPage>['deliveries'][number]

const address = pageAddress(['destination', 'state', 'source', 'type', 'from', 'open'])
const destination = address.fields.peek()['destination'] ?? ''
if (destination === '') location.replace('/console/destinations')
else {
  mount(
    listPage<Response<typeof deliveryPage>, Delivery>({
      title: `Deliveries to ${destination}`,
      caption: 'Deliveries, those of the newest events first',
      path: `/api/destinations/${encodeURIComponent(destination)}/deliveries`,
      address,
      rowsOf: ({ deliveries }) => deliveries,
      keyOf: recordName,
      filters: [
        { name: 'state', label: 'State', options: DELIVERY_LOOKS },
        { name: 'source', label: 'Source, in full' },
        { name: 'type', label: 'Type, in full' },
        { name: 'from', label: 'Received since', kind: 'since' },
      ],
      columns: [
        { head: 'State', cell: ({ status }) => <LookBadge look={DELIVERY_LOOKS[status]} isSolid /> },
        { head: 'Event', class: 'fill', cell: ({ summary, eventId }) => summary ?? eventId },
        { head: 'Type', class: 'c3', cell: nameOf },
        { head: 'Last answer', class: 'c2', cell: ({ answer }) => answer },
        timeColumn('Received', 'end', ({ receivedAt }) => receivedAt),
      ],
      actions: ({ reread }) => (
        <DialogButton
          class="main-btn"
          icon="retry"
          dialog={(close) => (
            <NewReplayDialog destination={destination} initial={address.fields.peek()} close={close} done={reread} />
          )}
        >
          Send these again …
        </DialogButton>
      ),
      empty: 'No delivery to this destination matches.',
      pane: ({ source, eventId, ...delivery }) => ({
        title: eventId,
        look: DELIVERY_LOOKS[delivery.status],
        note: nameOf({ source, ...delivery }),
        actions: (
          <a
            class="btn"
            href={`/console/webhooks${searchOf({ filter: EVERYTHING, open: { source, eventId }, tab: 'deliveries' })}`}
          >
            Event and attempts
          </a>
        ),
        children: (
          <Facts
            rows={{
              Attempts: delivery.attempts,
              'Last answer': delivery.answer,
              Delivered: delivery.deliveredAt && <LiveTime at={delivery.deliveredAt} />,
              'Next attempt': delivery.dueAt && <LiveTime at={delivery.dueAt} />,
            }}
          />
        ),
      }),
    }),
  )
}

function nameOf({ source, type }: Pick<Delivery, 'source' | 'type'>) {
  return `${source} ${type}`
}
