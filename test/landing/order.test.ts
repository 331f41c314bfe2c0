import { setTimeout } from 'node:timers/promises'
import { Client } from '@stomp/stompjs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startAdapter } from '../support/adapter-process.ts'
import { ADMIN_TOKEN, adapterSettings, type Instances, threeInstances } from '../support/instances.ts'
import { receipted, subscribed } from '../support/stomp-client.ts'

const MESSAGES = 1000
const IN_TIME = { timeout: 30_000, interval: 20 }

let instances: Instances
const clients: Client[] = []

beforeAll(async () => {
  instances = await threeInstances()
})

afterAll(async () => {
  for (const client of clients) void client.deactivate({ force: true })
  await instances.stop()
})

/** A client of an instance. */
async function connect(index: number): Promise<Client> {
  const address = instances.adapters[index]?.ws ?? ''
  const client = new Client({
    webSocketFactory: () => new WebSocket(address, ['v12.stomp']),
    connectHeaders: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    reconnectDelay: 0,
  })
  clients.push(client)
  const connected = new Promise<void>((resolve, reject) => {
    client.onConnect = () => resolve()
    client.onStompError = ({ headers }) => reject(new Error(headers['message']))
  })
  client.activate()
  await connected
  return client
}

/** What a client hears of a destination from now on. */
async function listen(client: Client, destination: string): Promise<readonly string[]> {
  const heard: string[] = []
  await subscribed(client, destination, ({ body }) => heard.push(body))
  return heard
}

/** Milliseconds between two messages, or a hundred of them in each transaction. */
type Way = number | 'in transactions'

const NUMBERS = Array.from({ length: MESSAGES }, (_, number) => String(number))

/** One client's thousand messages; settles when the server has them all. */
async function send(client: Client, destination: string, way: Way): Promise<void> {
  if (way === 'in transactions') await sendInTransactions(client, destination)
  else await sendPaced(client, destination, way)
  await receipted(client, (receipt) => client.publish({ destination: '/topic/public/end', headers: { receipt } }))
}

async function sendPaced(client: Client, destination: string, milliseconds: number): Promise<void> {
  for (const body of NUMBERS) {
    client.publish({ destination, body })
    if (milliseconds > 0) await setTimeout(milliseconds)
  }
}

async function sendInTransactions(client: Client, destination: string): Promise<void> {
  for (let from = 0; from < MESSAGES; from += 100) {
    const { id: transaction, commit } = client.begin()
    for (const body of NUMBERS.slice(from, from + 100)) client.publish({ destination, body, headers: { transaction } })
    commit()
    await setTimeout(50)
  }
}

describe('1,000 messages of one session', () => {
  const ways: readonly Way[] = [0, 1, 5, 'in transactions']
  const runs = ways.flatMap((way, index) => [[2 * index, way, 'no'] as const, [2 * index + 1, way, 'an'] as const])

  it.each(runs)(
    'run %i, %s (ms between them), %s instance killed: reach every subscriber of every instance, in order',
    async (run, way, killed) => {
      const destination = `/topic/public/run-${run}`
      const sender = await connect(0)
      const heard = await Promise.all([0, 0, 1, 1].map(async (index) => listen(await connect(index), destination)))
      const onThird = await listen(await connect(2), destination)
      const sent = send(sender, destination, way)
      if (killed === 'an') {
        await setTimeout(50)
        instances.adapters[2]?.child.kill('SIGKILL')
      }
      await sent
      await vi.waitFor(
        () => expect(heard.map(({ length }) => length)).toEqual([0, 0, 0, 0].map(() => MESSAGES)),
        IN_TIME,
      )
      for (const one of heard) expect(one).toEqual(NUMBERS)
      if (killed === 'an') {
        expect(onThird).toEqual(NUMBERS.slice(0, onThird.length))
        instances.adapters[2] = await startAdapter(adapterSettings())
      } else {
        await vi.waitFor(() => expect(onThird).toEqual(NUMBERS), IN_TIME)
      }
      await sender.deactivate()
    },
  )
})
