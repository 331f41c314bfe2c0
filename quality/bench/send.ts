import { readdirSync, readFileSync } from 'node:fs'
import { DIST, freshBuild } from '../../infra/builds.ts'
import { effort } from './effort.ts'
import { compared, type Findings, judged, type Row } from './findings.ts'
import { brokers, type Server, withAll } from './stomp/brokers.ts'
import { type Client, connected, frame, receivedAll, subscribers } from './stomp/client.ts'

interface Way {
  readonly receivers: number
  /** SENDs that are under way at a time. */
  readonly inFlight: number
}

const ALL: readonly Way[] = [1, 5, 50].flatMap((receivers) => [1, 64].map((inFlight) => ({ receivers, inFlight })))
const WAYS = effort(ALL, ALL.slice(0, 1))

/** Of a round; below what a session may send at once. */
const SENDS = effort(512, 64)
const ROUNDS = effort(7, 1)
const WARM_UP = effort(4, 1)

const BODY = JSON.stringify({ eventId: 'evt_1a2b3c4d5e6f', status: 'PROCESSED', source: 'stripe' })

/** What a SEND takes of a server's CPU, its deliveries included; ours with a table of messages, as the container runs. */
export async function send(): Promise<Findings> {
  await freshBuild(DIST)
  const rows: Row[] = []
  for (const way of WAYS) {
    const costs = await withAll(brokers(), (servers) => measure(servers, way))
    const what = `SEND, ${way.receivers} subscribed, ${way.inFlight} under way`
    rows.push(...compared(what, 'µs of CPU', costs))
  }
  return judged(rows)
}

async function measure(servers: readonly Server[], way: Way): Promise<ReadonlyMap<string, readonly number[]>> {
  const costs = new Map<string, number[]>(servers.map(({ name }) => [name, []]))
  const subjects = await Promise.all(
    servers.map(async (server) => ({
      server,
      clients: await subscribers(way.receivers, server.broker, server.dialect),
    })),
  )
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const { server, clients } of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const cost = await costOf(server, clients, way)
      if (round >= 0) costs.get(server.name)?.push(cost)
    }
  }
  for (const client of subjects.flatMap(({ clients }) => clients)) client.destroy()
  return costs
}

/** By a sender that is new: no server lets one send on and on at that rate. */
async function costOf({ broker, dialect }: Server, clients: readonly Client[], { inFlight }: Way): Promise<number> {
  const sender = await connected(broker, dialect)
  const one = frame('SEND', { destination: dialect.destination }, BODY)
  const before = cpuOfProcess(broker.pid)
  for (let sent = 0; sent < SENDS; sent += inFlight) {
    const all = Promise.all(clients.map((client) => receivedAll(client, `${BODY}\0`, inFlight)))
    for (let each = 0; each < inFlight; each += 1) sender.write(one)
    await all
  }
  const cost = (cpuOfProcess(broker.pid) - before) / SENDS
  sender.destroy()
  return cost
}

/** Microseconds of CPU that the threads of a process have taken until now (Linux, Documentation/scheduler/sched-stats.rst). */
function cpuOfProcess(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0],
  )
  return nanoseconds.reduce((sum, spent) => sum + Number(spent), 0) / 1000
}
