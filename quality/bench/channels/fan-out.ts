import { comparison } from '../comparison.ts'
import { effort } from '../effort.ts'
import { type Findings, judged, together } from '../findings.ts'
import { median } from '../median.ts'
import { type Kind, type Server, withAll } from './brokers.ts'
import { type Client, connected, frame, received, subscribers } from './stomp-client.ts'

interface Size {
  readonly receivers: number
  /** Of a round: so many that it takes long enough to be measured. */
  readonly messages: number
}

const ALL: readonly Size[] = [
  { receivers: 10, messages: 200 },
  { receivers: 100, messages: 40 },
  { receivers: 1000, messages: 20 },
]
const SIZES = effort(ALL, ALL.slice(0, 1))
const ROUNDS = effort(5, 1)

/** Deliveries that compile the code first. */
const WARM_UP = effort(10_000, 1)

const WHY =
  "Ours goes by SNS and SQS first, so that all instances hear it; half of the rest is the system's own work of writing to sockets."

const BODY = JSON.stringify({ eventId: 'evt_1a2b3c4d5e6f', status: 'PROCESSED', source: 'stripe' })

/** What it takes to hand one message to many: a server's CPU for one delivery, the reading of the message included. */
export async function fanOut(kinds: readonly Kind[]): Promise<Findings> {
  const pieces: Record<string, Findings> = {}
  const ours: number[] = []
  for (const size of SIZES) {
    const what = `fan-out 1 → ${size.receivers.toLocaleString('en')}`
    const costs = await withAll(kinds, (servers) => measure(servers, size))
    ours.push(median(costs.get('gatehouse') ?? []))
    const atLeast = size.receivers === 1000 ? { rabbitmq: 5 } : {}
    pieces[what] = comparison({ what: `STOMP ${what}`, unit: 'µs of CPU for a delivery', costs, atLeast, why: WHY })
  }
  const [least = Number.NaN] = ours
  const growth = { what: 'a delivery to 1,000 against one to 10', unit: '×', value: (ours.at(-1) ?? 0) / least }
  return together({ ...pieces, 'fan-out, growth': judged([{ ...growth, goal: 1.1 }]) })
}

async function measure(servers: readonly Server[], size: Size): Promise<ReadonlyMap<string, readonly number[]>> {
  const subjects = await Promise.all(
    servers.map(async (server) => ({
      ...server,
      clients: await subscribers(size.receivers, server.broker, server.dialect),
    })),
  )
  const costs = new Map<string, number[]>(servers.map(({ name }) => [name, []]))
  for (const subject of subjects) await warmUp(subject, size)
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const subject of order) costs.get(subject.name)?.push(await costOf(subject, size))
  }
  for (const client of subjects.flatMap(({ clients }) => clients)) client.destroy()
  return costs
}

async function warmUp(subject: Subject, { receivers, messages }: Size): Promise<void> {
  for (let sent = 0; sent < WARM_UP; sent += messages * receivers) await send(subject, messages)
}

async function costOf(subject: Subject, { receivers, messages }: Size): Promise<number> {
  const before = await subject.broker.cpu()
  await send(subject, messages)
  return ((await subject.broker.cpu()) - before) / messages / receivers
}

interface Subject extends Server {
  readonly clients: readonly Client[]
}

/** One message after the other, by a sender that is new: no server lets one send on and on at that rate. */
async function send({ broker, dialect, clients }: Subject, messages: number): Promise<void> {
  const sender = await connected(broker, dialect, 0)
  for (let message = 0; message < messages; message += 1) {
    const all = Promise.all(clients.map(received))
    sender.write(frame('SEND', { destination: dialect.destination }, BODY))
    await all
  }
  sender.destroy()
}
