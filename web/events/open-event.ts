import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isSessionOver, wordsOf } from '../ask.ts'
import { now, parseTime } from '../ui/times.tsx'
import { fetchDeliveries, fetchEvent, type OtherDestination, type ShownDelivery } from './calls.ts'
import { list } from './reading.ts'
import { type EventDetail, type RecordKey, recordName } from './record.ts'

/** The polling interval for an event that may still change, in milliseconds. */
const POLL_MS = 3000

/** Deliveries begin within this time after the receipt, in milliseconds. */
const YOUNG_MS = 15_000

/** All that the pane shows of an event. */
export interface OpenEvent {
  readonly event: EventDetail
  readonly deliveries: readonly ShownDelivery[]
  readonly others: readonly OtherDestination[]
}

export interface EventReading {
  /** Undefined until the first answer. */
  readonly open: Signal<OpenEvent | undefined>
  /** Why there is nothing, or nothing newer. */
  readonly problem: Signal<string | undefined>
  readonly read: () => Promise<void>
}

/** Reads an event when it is opened, when the list has news of it, and as long as it may change. */
export function useOpenEvent(key: RecordKey): EventReading {
  const open = useSignal<OpenEvent | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const listed = list.value?.events.find((other) => recordName(other) === recordName(key))
  const version = listed && `${listed.status} ${listed.attempts} ${listed.nextRetryAt} ${listed.idConflict?.count}`

  async function read(): Promise<void> {
    try {
      const [event, delivered] = await Promise.all([fetchEvent(key), fetchDeliveries(key)])
      open.value = { event, ...delivered }
      problem.value = undefined
    } catch (error) {
      problem.value = wordsOf(error)
    }
  }

  useEffect(() => void read(), [version])
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden && !isSessionOver.peek() && mayChange(open.peek())) void read()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [])
  return { open, problem, read }
}

function mayChange(open: OpenEvent | undefined): boolean {
  if (!open) return false
  const { event, deliveries } = open
  const isYoung = now.peek().getTime() - parseTime(event.receivedAt).getTime() < YOUNG_MS
  const isAtRest = event.status === 'PROCESSED' || event.dead
  return isYoung || !isAtRest || deliveries.some(({ status }) => status === 'PENDING' || status === 'SENDING')
}
