import { Client, type IFrame, type IMessage } from '@stomp/stompjs'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { served } from './served.ts'

/** A client of the running service, as far as CONNECTED or ERROR. */
export async function connected(token: string): Promise<{ readonly client: Client; readonly frame: IFrame }> {
  const { promise, resolve } = Promise.withResolvers<IFrame>()
  const client = new Client({
    webSocketFactory: () => new WebSocket(served('ready').ws, ['v12.stomp']),
    connectHeaders: { Authorization: `Bearer ${token}` },
    reconnectDelay: 0,
    onConnect: resolve,
    onStompError: resolve,
  })
  onTestFinished(() => client.deactivate())
  client.activate()
  return { client, frame: await promise }
}

/** Settles when the receipt that the action asks for has come. */
export function receipted(client: Client, action: (receipt: string) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const receipt = crypto.randomUUID()
  client.watchForReceipt(receipt, () => resolve())
  action(receipt)
  return promise
}

/** Settles once the service has taken the subscription. */
export function subscribed(client: Client, destination: string, take: (message: IMessage) => void): Promise<void> {
  return receipted(client, (receipt) => client.subscribe(destination, take, { receipt }))
}

/** What a client hears of a destination, from now on. */
export async function heardBy(client: Client, destination: string): Promise<readonly IMessage[]> {
  const heard: IMessage[] = []
  await subscribed(client, destination, (message) => heard.push(message))
  return heard
}
