import { recordTime } from '../events/record.ts'
import { Badge } from '../ui/badge.tsx'
import { Pane, Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'
import { History } from './history.tsx'
import { type ListedOrder, ORDER_LOOKS } from './looks.ts'

interface OrderPaneProps {
  readonly order: ListedOrder
  readonly paymentsLink: (orderId: string) => string
  readonly close: () => void
}

export function OrderPane({ order, paymentsLink, close }: OrderPaneProps) {
  const { orderId, status, trackingNumber, carrier, estimatedDelivery, updatedAt, events } = order
  const { label, tone, icon = tone } = ORDER_LOOKS[status]
  return (
    <Pane
      title={
        <>
          <code>{orderId}</code>{' '}
          <Badge tone={tone} icon={icon} isSolid>
            {label}
          </Badge>
        </>
      }
      close={close}
    >
      <Part title="Events">
        <History events={events} />
      </Part>
      <Part title="Order">
        <Facts
          rows={[
            ['Carrier', carrier],
            ['Tracking number', trackingNumber && <code>{trackingNumber}</code>],
            ['Expected', estimatedDelivery],
            ['Changed', <LiveTime key="at" at={recordTime(updatedAt)} />],
            [
              'Payments',
              <a key="payments" href={paymentsLink(orderId)}>
                Show the payments of this order
              </a>,
            ],
          ]}
        />
      </Part>
    </Pane>
  )
}
