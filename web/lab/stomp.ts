import type { IFrame } from '@stomp/stompjs'

/** The result of a connection. */
export interface StompResult {
  readonly isConnected: boolean
  /** The result in plain words. */
  readonly summary: string
  /** The answer to CONNECT; undefined if none came. */
  readonly frame: Pick<IFrame, 'command' | 'headers' | 'body'> | undefined
}

const PATIENCE = 5000
const DESTINATION = '/topic/public/playground'

/** Connects with a token, sends itself a message, and disconnects. Loads the client on first use. */
export async function tryStomp(url: string, token: string): Promise<StompResult> {
  const { Client } = await import('@stomp/stompjs')
  const { promise, resolve } = Promise.withResolvers<StompResult>()
  const client = new Client({
    brokerURL: url,
    connectHeaders: { Authorization: `Bearer ${token}` },
    reconnectDelay: 0,
    connectionTimeout: PATIENCE,
    onConnect: (frame) => {
      client.subscribe(DESTINATION, ({ body }) =>
        resolve({ isConnected: true, summary: `Connected; ${DESTINATION} sent back: ${body}`, frame }),
      )
      client.publish({ destination: DESTINATION, body: 'hello' })
    },
    onStompError: (frame) =>
      resolve({ isConnected: false, summary: `Refused: ${frame.headers['message'] ?? 'no reason given'}`, frame }),
    onWebSocketClose: () => resolve({ isConnected: false, summary: 'Nobody answers there.', frame: undefined }),
  })
  client.activate()
  const result = await promise
  await client.deactivate()
  return result
}
