import { recordTime } from '../events/record.ts'
import { Badge } from '../ui/badge.tsx'
import { Pane, Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'
import { History } from './history.tsx'
import { amountOf, type ListedPayment, PAYMENT_LOOKS } from './looks.ts'

const STATUSES = ['FAILED', 'COMPLETED', 'REFUNDED'] as const

interface PaymentPaneProps {
  readonly payment: ListedPayment
  readonly orderLink: (orderId: string) => string
  readonly close: () => void
}

export function PaymentPane({ payment, orderLink, close }: PaymentPaneProps) {
  const { transactionId, orderId, customerId, status, updatedAt, events } = payment
  const { label, tone, icon = tone } = PAYMENT_LOOKS[status]
  return (
    <Pane
      title={
        <>
          <code>{transactionId}</code>{' '}
          <Badge tone={tone} icon={icon} isSolid>
            {label}
          </Badge>
        </>
      }
      note={amountOf(payment)}
      close={close}
    >
      <Part title="Status">
        <ol class="meter">
          {STATUSES.map((each) => (
            <li
              key={each}
              class={each === status ? 'on' : undefined}
              aria-current={each === status ? 'step' : undefined}
            >
              {each === status ? <b>{PAYMENT_LOOKS[each].label}</b> : PAYMENT_LOOKS[each].label}
            </li>
          ))}
        </ol>
        <p class="small muted">
          A payment moves to the right only. An event that would move it back is kept as superseded.
        </p>
      </Part>
      <Part title="Events">
        <History events={events} />
      </Part>
      <Part title="Payment">
        <Facts
          rows={[
            [
              'Amount',
              <span key="amount" class="num">
                {amountOf(payment)}
              </span>,
            ],
            ['Order', orderId && <a href={orderLink(orderId)}>{orderId}</a>],
            ['Customer', customerId],
            ['Changed', <LiveTime key="at" at={recordTime(updatedAt)} />],
          ]}
        />
      </Part>
    </Pane>
  )
}
