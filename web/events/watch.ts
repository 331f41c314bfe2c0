import { Client, type IFrame, ReconnectionTimeMode } from '@stomp/stompjs'
import type { Change } from './record.ts'

export { Client }

interface Watching {
  readonly url: string
  /** A ticket for one connection; undefined if there will be none. */
  readonly getTicket: () => Promise<string | undefined>
  readonly onChange: (change: Change) => void
  /** `refused` is final. */
  readonly onState: (state: 'live' | 'lost' | 'refused') => void
}

const RECONNECT_MS = 1000
const MAXIMUM_RECONNECT_MS = 30_000

/** Says that every change from now on arrives. */
const RECEIPT = 'watching'

/** A refusal of the user, whatever the ticket. */
const FORBIDDEN = 403

/**
 * Subscribes to the changes of webhook events. After an interruption it comes with another ticket, and resumes where it
 * was.
 */
export function watchWebhooks({ url, getTicket, onChange, onState }: Watching): void {
  let cursor: string | undefined
  let isOver = false

  const client = new Client({
    brokerURL: url,
    reconnectDelay: RECONNECT_MS,
    reconnectTimeMode: ReconnectionTimeMode.EXPONENTIAL,
    maxReconnectDelay: MAXIMUM_RECONNECT_MS,
    async beforeConnect() {
      const ticket = await getTicket()
      if (ticket === undefined) return stop()
      client.connectHeaders = { Authorization: `Ticket ${ticket}` }
    },
    onConnect() {
      client.watchForReceipt(RECEIPT, ({ headers }) => {
        cursor ??= headers['cursor']
        onState('live')
      })
      const resume = cursor === undefined ? {} : { 'resume-after': cursor }
      client.subscribe('/topic/webhooks', ({ body }) => tell(body), { receipt: RECEIPT, ...resume })
    },
    onStompError(frame) {
      if (statusIn(frame) === FORBIDDEN) return stop()
    },
    onWebSocketClose: () => onState(isOver ? 'refused' : 'lost'),
  })
  client.activate()

  function stop(): void {
    isOver = true
    onState('refused')
    void client.deactivate()
  }

  function tell(body: string): void {
    const change: Change = JSON.parse(body)
    cursor = change.cursor
    onChange(change)
  }
}

function statusIn({ body }: IFrame): number {
  const { status }: { readonly status: number } = JSON.parse(body)
  return status
}
