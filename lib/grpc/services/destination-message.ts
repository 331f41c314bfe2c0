import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  DestinationKind as Kind,
  DestinationState as State,
  DeliveryStatus as Status,
} from '../../../proto/gen/gatehouse/v1/destination_pb.ts'
import type { ShownStatus, shownDelivery } from '../../deliver/operators/deliveries.ts'
import type { shownDestination } from '../../deliver/operators/destinations.ts'
import { fromLocalDateTime } from '../../runtime/local-date-time.ts'

type ShownDestination = Awaited<ReturnType<typeof shownDestination>>
type ShownDelivery = ReturnType<typeof shownDelivery>

const KINDS = {
  http: Kind.HTTP,
  sqs: Kind.SQS,
  eventbridge: Kind.EVENTBRIDGE,
  handler: Kind.HANDLER,
} as const satisfies Record<ShownDestination['to'], Kind>

const STATES = {
  CLOSED: State.CLOSED,
  OPEN: State.OPEN,
  DISABLED: State.DISABLED,
} as const satisfies Record<ShownDestination['state'], State>

const STATUSES = {
  PENDING: Status.PENDING,
  SENDING: Status.SENDING,
  DELIVERED: Status.DELIVERED,
  DEAD: Status.DEAD,
  PARKED: Status.PARKED,
} as const satisfies Record<ShownStatus, Status>

export function destinationMessageOf({ name, to, target, state, waiting, failures, ...rest }: ShownDestination) {
  const { since, by, reason, oldestAt, lastAnswer, lastAnswerAt } = rest
  return {
    name,
    kind: KINDS[to],
    target,
    state: STATES[state],
    waiting,
    failures,
    ...textsOf({ by, reason, lastAnswer }),
    ...timesOf({ since, oldestAt, lastAnswerAt }),
  }
}

export function deliveryMessageOf(delivery: ShownDelivery) {
  const { destination, status, attempts, answer, dueAt, deliveredAt, history } = delivery
  return {
    destination,
    status: STATUSES[status],
    attempts,
    ...textsOf({ answer }),
    ...timesOf({ dueAt, deliveredAt }),
    history: history.map(moveOf),
  }
}

function moveOf({ at, status, answer, user, reason }: ShownDelivery['history'][number]) {
  return { status: STATUSES[status], ...textsOf({ answer, user, reason }), ...timesOf({ at }) }
}

type Nullable<K extends string> = Readonly<Record<K, string | null>>

/** Without those that are absent. */
function textsOf<K extends string>(texts: Nullable<K>): { readonly [N in K]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)) as { [N in K]?: string }
}

function timesOf<K extends string>(times: Nullable<K>): { readonly [N in K]?: ReturnType<typeof timestampFromDate> } {
  const known = Object.entries<string | null>(times).flatMap(([name, text]) => {
    const date = text === null ? undefined : fromLocalDateTime(text)
    return date ? [[name, timestampFromDate(date)] as const] : []
  })
  return Object.fromEntries(known) as { [N in K]?: ReturnType<typeof timestampFromDate> }
}
