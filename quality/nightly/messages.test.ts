import { Client, type IMessage } from '@stomp/stompjs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ADMIN_TOKEN, threeInstances } from '../../test/support/instances.ts'
import { receipted } from '../../test/support/stomp-client.ts'

const RUNS = 20
const MESSAGES = 1002
const UNDER_WAY = 16
const DESTINATION = '/topic/public/a'
const IN_TIME = { timeout: 30_000, interval: 20 }

interface Told {
  readonly sender: number
  readonly number: number
  readonly at: number
}

async function stompAt(address: string): Promise<Client> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const client = new Client({
    webSocketFactory: () => new WebSocket(address, ['v12.stomp']),
    connectHeaders: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    reconnectDelay: 0,
    onConnect: () => resolve(),
    onStompError: ({ body }) => reject(new Error(body)),
  })
  onTestFinished(() => client.deactivate({ force: true }))
  client.activate()
  await promise
  return client
}

/** What a client receives from now on. */
async function listener(address: string): Promise<readonly Told[]> {
  const told: Told[] = []
  const take = ({ body }: IMessage) => told.push({ ...JSON.parse(body), at: performance.now() })
  const client = await stompAt(address)
  await receipted(client, (receipt) => client.subscribe(DESTINATION, take, { receipt }))
  return told
}

/** Sends so many messages, some under way at once, and notes which have their receipt, and when each was sent. */
async function sendAll(client: Client, sender: number, count: number) {
  const [acknowledged, sentAt] = [new Set<number>(), new Map<number, number>()]
  let next = 0
  async function lane(): Promise<void> {
    while (next < count && client.connected) {
      const number = next++
      sentAt.set(number, performance.now())
      const body = JSON.stringify({ sender, number })
      await receipted(client, (receipt) => client.publish({ destination: DESTINATION, body, headers: { receipt } }))
      acknowledged.add(number)
    }
  }
  const done = Promise.all(Array.from({ length: UNDER_WAY }, lane))
  return { acknowledged, sentAt, done }
}

describe.each(Array.from({ length: RUNS }, (_, run) => run + 1))('run %i', () => {
  it('of three instances, one of which is killed: each message with a receipt arrives once, in order, and most within a second', async () => {
    const { adapters, stop } = await threeInstances()
    onTestFinished(stop)
    const addresses = adapters.map(({ ws }) => ws)
    const listeners = await Promise.all(addresses.slice(0, 2).map(listener))
    const clients = await Promise.all(addresses.map(stompAt))
    const sending = await Promise.all(clients.map((client, sender) => sendAll(client, sender, MESSAGES / 3)))
    const [one, two, killed] = sending
    await vi.waitUntil(() => (killed?.acknowledged.size ?? 0) > MESSAGES / 9, IN_TIME)
    adapters[2]?.child.kill('SIGKILL')
    await Promise.all([one?.done, two?.done])

    const wanted = sending.flatMap(({ acknowledged }, sender) =>
      [...acknowledged].map((number) => `${sender} ${number}`),
    )
    const late: number[] = []
    for (const told of listeners) {
      const names = () => new Set(told.map(({ sender, number }) => `${sender} ${number}`))
      await vi.waitUntil(() => wanted.every((name) => names().has(name)), IN_TIME)
      expect(names().size).toBe(told.length)
      for (const [sender, { sentAt }] of sending.entries()) {
        const own = told.filter((each) => each.sender === sender)
        expect(own.map(({ number }) => number)).toEqual(own.map(({ number }) => number).toSorted((a, b) => a - b))
        late.push(...own.map(({ number, at }) => at - (sentAt.get(number) ?? 0)).filter((wait) => wait > 1000))
      }
    }
    expect(late.length).toBeLessThanOrEqual(0.01 * 2 * wanted.length)
  })
})
