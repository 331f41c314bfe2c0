import { Client, type IFrame } from '@stomp/stompjs'
import type { Change } from './event-list.ts'

interface Watching {
  readonly url: string
  readonly token: string
  readonly onChange: (change: Change) => void
  /** `polling` is final: the token is no longer accepted. */
  readonly onState: (state: 'live' | 'lost' | 'polling') => void
}

const RECONNECT_MS = 3000

/** Refusals that a new connection with the same token would get again. */
const FINAL = [401, 403]

/** Subscribes to the changes of webhook events; after an interruption it resumes where it was. */
export function watchWebhooks({ url, token, onChange, onState }: Watching): void {
  let cursor: string | undefined
  let isOver = false

  const client = new Client({
    brokerURL: url,
    connectHeaders: { Authorization: `Bearer ${token}` },
    reconnectDelay: RECONNECT_MS,
    onConnect() {
      client.subscribe('/topic/webhooks', ({ body }) => tell(body), { ...(cursor && { 'resume-after': cursor }) })
      onState('live')
    },
    onStompError(frame) {
      isOver = FINAL.includes(statusIn(frame))
      if (isOver) void client.deactivate()
    },
    onWebSocketClose: () => onState(isOver ? 'polling' : 'lost'),
  })
  client.activate()

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
