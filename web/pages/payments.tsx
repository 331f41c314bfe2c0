import type { orderPage, paymentPage } from '../../lib/contract/answers/payments.ts'
import type { Response } from '../ask.ts'
import { mount } from '../mount.tsx'
import { pageAddress } from '../ui/address.ts'
import { type Look, LookBadge } from '../ui/badge.tsx'
import { Tabs } from '../ui/links.tsx'
import { listPage } from '../ui/list-page.tsx'
import { type Column, timeColumn } from '../ui/list-table.tsx'
import { Part } from '../ui/pane.tsx'
import { Steps, StepView } from '../ui/steps.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'

type Payment = Response<typeof paymentPage>['payments'][number]
type Order = Response<typeof orderPage>['orders'][number]

/** In the order in which a payment goes through them. */
const PAYMENT_LOOKS: Readonly<Record<Payment['status'], Look>> = {
  FAILED: { label: 'Failed', tone: 'bad' },
  COMPLETED: { label: 'Completed', tone: 'ok' },
  REFUNDED: { label: 'Refunded', tone: 'note', icon: 'retry' },
}

const ORDER_LOOKS: Readonly<Record<Order['status'], Look>> = {
  PENDING: { label: 'Pending', tone: 'run' },
  CONFIRMED: { label: 'Confirmed', tone: 'ok' },
  SHIPPED: { label: 'Shipped', tone: 'ok' },
  OUT_FOR_DELIVERY: { label: 'Out for delivery', tone: 'ok' },
  DELIVERED: { label: 'Delivered', tone: 'ok' },
  CANCELLED: { label: 'Canceled', tone: 'bad' },
  RETURNED: { label: 'Returned', tone: 'note', icon: 'retry' },
}

const NO_FILTER = { status: '', q: '', open: '' }

const address = pageAddress(['view', ...Object.keys(NO_FILTER)])

/** What both lists have in common. */
const SHARED = { title: 'Payments & orders', address, above: () => <Views /> } as const

const LAST_COLUMNS: readonly Column<Payment | Order>[] = [
  { head: 'Events', class: 'end num c3', cell: ({ events }) => events.length },
  timeColumn('Changed', 'end', ({ updatedAt }) => updatedAt),
]

const PaymentList = listPage<Response<typeof paymentPage>, Payment>({
  ...SHARED,
  caption: 'Payments, the last changed first',
  path: '/api/payments',
  rowsOf: ({ payments }) => payments,
  keyOf: ({ transactionId }) => transactionId,
  filters: [
    { name: 'q', label: 'Transaction, order or customer' },
    { name: 'status', label: 'Status', options: PAYMENT_LOOKS },
  ],
  columns: [
    { head: 'Status', cell: ({ status }) => <LookBadge look={PAYMENT_LOOKS[status]} /> },
    { head: 'Transaction', class: 'fill', cell: ({ transactionId }) => <code>{transactionId}</code> },
    { head: 'Order', class: 'c2 short', cell: ({ orderId }) => orderId },
    { head: 'Amount', class: 'end num', cell: amountOf },
    ...LAST_COLUMNS,
  ],
  empty: 'No payment matches. Webhooks of payments and of Stripe make them.',
  pane: (payment) => ({
    title: <code>{payment.transactionId}</code>,
    look: PAYMENT_LOOKS[payment.status],
    note: amountOf(payment),
    children: <PaymentDetails {...payment} />,
  }),
})

const OrderList = listPage<Response<typeof orderPage>, Order>({
  ...SHARED,
  caption: 'Orders, the last changed first',
  path: '/api/orders',
  rowsOf: ({ orders }) => orders,
  keyOf: ({ orderId }) => orderId,
  filters: [
    { name: 'q', label: 'Order' },
    { name: 'status', label: 'Status', options: ORDER_LOOKS },
  ],
  columns: [
    { head: 'Status', cell: ({ status }) => <LookBadge look={ORDER_LOOKS[status]} /> },
    { head: 'Order', class: 'fill', cell: ({ orderId }) => <code>{orderId}</code> },
    { head: 'Carrier', class: 'c2', cell: ({ carrier }) => carrier },
    { head: 'Tracking number', class: 'c3', cell: ({ trackingNumber }) => trackingNumber },
    ...LAST_COLUMNS,
  ],
  empty: 'No order matches. Webhooks of order-status make them.',
  pane: (order) => ({
    title: <code>{order.orderId}</code>,
    look: ORDER_LOOKS[order.status],
    children: <OrderDetails {...order} />,
  }),
})

mount(() => (isOrders() ? <OrderList /> : <PaymentList />))

function isOrders(): boolean {
  return address.fields.value['view'] === 'orders'
}

function Views() {
  const viewOf = (name: string) => ({ ...NO_FILTER, view: name === 'orders' ? 'orders' : '' })
  const tabs = Object.entries({ payments: 'Payments', orders: 'Orders' })
  return (
    <Tabs
      label="Kind"
      current={isOrders() ? 'orders' : 'payments'}
      tabs={tabs.map(([name, label]) => ({ name, label, address: address.linkTo(viewOf(name)) }))}
      choose={(name) => address.go(viewOf(name))}
    />
  )
}

/** The exact amount as the webhook had it, with its currency. */
function amountOf({ amount, currency }: Pick<Payment, 'amount' | 'currency'>): string {
  return amount === null ? currency : `${amount} ${currency}`
}

function PaymentDetails({ status, amount, currency, orderId, customerId, updatedAt, events }: Payment) {
  const orderLink = orderId === null ? '' : address.linkTo({ ...NO_FILTER, view: 'orders', q: orderId, open: orderId })
  return (
    <>
      <Part title="Status">
        <ol class="meter">
          {Object.entries(PAYMENT_LOOKS).map(([each, { label }]) => (
            <li
              key={each}
              class={each === status ? 'on' : undefined}
              aria-current={each === status ? 'step' : undefined}
            >
              {each === status ? <b>{label}</b> : label}
            </li>
          ))}
        </ol>
        <p class="small muted">
          A payment moves to the right only. An event that would move it back is kept as superseded.
        </p>
      </Part>
      <History events={events} />
      <Part title="Payment">
        <Facts
          rows={{
            Amount: <span class="num">{amountOf({ amount, currency })}</span>,
            Order: orderId && <a href={orderLink}>{orderId}</a>,
            Customer: customerId,
            Changed: <LiveTime at={updatedAt} />,
          }}
        />
      </Part>
    </>
  )
}

function OrderDetails({ orderId, trackingNumber, carrier, estimatedDelivery, updatedAt, events }: Order) {
  return (
    <>
      <History events={events} />
      <Part title="Order">
        <Facts
          rows={{
            Carrier: carrier,
            'Tracking number': trackingNumber && <code>{trackingNumber}</code>,
            Expected: estimatedDelivery,
            Changed: <LiveTime at={updatedAt} />,
            Payments: (
              <a href={address.linkTo({ ...NO_FILTER, view: '', q: orderId })}>Show the payments of this order</a>
            ),
          }}
        />
      </Part>
    </>
  )
}

/** The events that made a payment or an order, each a link to the inbox. */
function History({ events }: Pick<Payment, 'events'>) {
  return (
    <Part title="Events">
      <Steps>
        {events.map(({ source, eventId, eventType, outcome, at }) => (
          <StepView
            key={`${source}/${eventId}`}
            tone={outcome === 'applied' ? 'ok' : 'note'}
            title={outcome === 'applied' ? 'Applied:' : 'Superseded:'}
            about={eventType}
            time={<LiveTime at={at} />}
          >
            <a href={`/console/webhooks?event=${encodeURIComponent(`${source}/${eventId}`)}`}>
              {source} {eventId}
            </a>
          </StepView>
        ))}
      </Steps>
    </Part>
  )
}
