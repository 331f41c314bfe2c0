import type { Response } from '../ask.ts'
import { recordTime } from '../events/record.ts'
import { pageAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { FilterChoice } from '../ui/filter-choice.tsx'
import { Tabs } from '../ui/links.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/list-table.tsx'
import { pagedOf } from '../ui/paged.ts'
import { SearchField } from '../ui/search-field.tsx'
import { ShortTime } from '../ui/times.tsx'
import { amountOf, type ListedOrder, type ListedPayment, ORDER_LOOKS, PAYMENT_LOOKS } from './looks.ts'
import { OrderPane } from './order-pane.tsx'
import { PaymentPane } from './payment-pane.tsx'

const NOTHING = { status: '', transactionId: '', orderId: '', open: '' }

const address = pageAddress(['view', 'status', 'transactionId', 'orderId', 'open'])
const payments = pagedOf('/api/payments', ({ payments: rows, nextCursor }: Response<'payments'>) => ({
  rows,
  nextCursor,
}))
const orders = pagedOf('/api/orders', ({ orders: rows, nextCursor }: Response<'orders'>) => ({ rows, nextCursor }))

interface Row {
  readonly events: readonly unknown[]
  readonly updatedAt: string
}

const LAST_COLUMNS: readonly Column<Row>[] = [
  { head: 'Events', class: 'end num c3', cell: ({ events }) => events.length },
  { head: 'Changed', class: 'end', cell: ({ updatedAt }) => <ShortTime at={recordTime(updatedAt)} /> },
]

const PAYMENT_COLUMNS: readonly Column<ListedPayment>[] = [
  {
    head: 'Status',
    cell: ({ status }) => {
      const { label, tone, icon = tone } = PAYMENT_LOOKS[status]
      return (
        <Badge tone={tone} icon={icon}>
          {label}
        </Badge>
      )
    },
  },
  { head: 'Transaction', class: 'fill', cell: ({ transactionId }) => <code>{transactionId}</code> },
  { head: 'Order', class: 'c2 short', cell: ({ orderId }) => orderId },
  { head: 'Amount', class: 'end num', cell: amountOf },
  ...LAST_COLUMNS,
]

const ORDER_COLUMNS: readonly Column<ListedOrder>[] = [
  {
    head: 'Status',
    cell: ({ status }) => {
      const { label, tone, icon = tone } = ORDER_LOOKS[status]
      return (
        <Badge tone={tone} icon={icon}>
          {label}
        </Badge>
      )
    },
  },
  { head: 'Order', class: 'fill', cell: ({ orderId }) => <code>{orderId}</code> },
  { head: 'Carrier', class: 'c2', cell: ({ carrier }) => carrier },
  { head: 'Tracking number', class: 'c3', cell: ({ trackingNumber }) => trackingNumber },
  ...LAST_COLUMNS,
]

const close = () => address.go({ open: '' })
const orderLink = (orderId: string) => address.linkTo({ ...NOTHING, view: 'orders', orderId, open: orderId })
const paymentsLink = (orderId: string) => address.linkTo({ ...NOTHING, view: '', orderId })

export function PaymentsPage() {
  return address.fields.value['view'] === 'orders' ? <Orders /> : <Payments />
}

function Views({ current }: { readonly current: 'payments' | 'orders' }) {
  return (
    <Tabs
      label="Kind"
      current={current}
      tabs={[
        { name: 'payments', label: 'Payments', address: address.linkTo({ ...NOTHING, view: '' }) },
        { name: 'orders', label: 'Orders', address: address.linkTo({ ...NOTHING, view: 'orders' }) },
      ]}
      choose={(name) => address.go({ ...NOTHING, view: name === 'orders' ? 'orders' : '' })}
    />
  )
}

function Payments() {
  const { status = '', transactionId = '', orderId = '' } = address.fields.value
  return (
    <ListPage
      title="Payments & orders"
      caption="Payments, the last changed first"
      address={address}
      filters={['status', 'transactionId', 'orderId']}
      list={payments}
      columns={PAYMENT_COLUMNS}
      keyOf={(payment) => payment.transactionId}
      above={<Views current="payments" />}
      toolbar={
        <>
          <SearchField
            label="Transaction"
            value={transactionId}
            search={(text) => address.go({ transactionId: text, open: '' })}
          />
          <SearchField label="Order" value={orderId} search={(text) => address.go({ orderId: text, open: '' })} />
          <StatusChoice value={status} looks={PAYMENT_LOOKS} />
        </>
      }
      empty={<p class="muted">No payment is like that. Webhooks of payments and of Stripe make them.</p>}
      pane={(payment) => (
        <PaymentPane key={payment.transactionId} payment={payment} orderLink={orderLink} close={close} />
      )}
    />
  )
}

function Orders() {
  const { status = '', orderId = '' } = address.fields.value
  return (
    <ListPage
      title="Payments & orders"
      caption="Orders, the last changed first"
      address={address}
      filters={['status', 'orderId']}
      list={orders}
      columns={ORDER_COLUMNS}
      keyOf={(order) => order.orderId}
      above={<Views current="orders" />}
      toolbar={
        <>
          <SearchField label="Order" value={orderId} search={(text) => address.go({ orderId: text, open: '' })} />
          <StatusChoice value={status} looks={ORDER_LOOKS} />
        </>
      }
      empty={<p class="muted">No order is like that. Webhooks of payments and of order-status make them.</p>}
      pane={(order) => <OrderPane key={order.orderId} order={order} paymentsLink={paymentsLink} close={close} />}
    />
  )
}

interface StatusChoiceProps {
  readonly value: string
  readonly looks: Readonly<Record<string, { readonly label: string }>>
}

function StatusChoice({ value, looks }: StatusChoiceProps) {
  return (
    <FilterChoice
      label="Status"
      value={value}
      options={Object.entries(looks).map(([name, { label }]) => [name, label])}
      choose={(status) => address.go({ status, open: '' })}
    />
  )
}
