import { globSync, readFileSync } from 'node:fs'
import { DIST, freshBuild } from '../../infra/builds.ts'
import { effort } from './effort.ts'
import { type Costs, compared, type Row } from './findings.ts'
import { brokers, type Server, withAll } from './stomp/brokers.ts'
import { type Client, connected, frame, receivedAll, subscribers } from './stomp/client.ts'
import { interleaved } from './subjects.ts'

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

/** Behind four rounds V8 still compiled: a SEND of 64 took a third more. */
const WARM_UP = effort(10, 1)

const BODY = JSON.stringify({ eventId: 'evt_1a2b3c4d5e6f', status: 'PROCESSED', source: 'stripe' })

/** What a SEND takes of a server's CPU, its deliveries included; ours with a table of messages, as the container runs. */
export async function send(): Promise<readonly Row[]> {
  await freshBuild(DIST)
  const rows: Row[] = []
  for (const way of WAYS) {
    const costs = await withAll(brokers(), (servers) => measure(servers, way))
    const what = `SEND, ${way.receivers} subscribed, ${way.inFlight} under way`
    rows.push(...compared(what, 'µs of CPU', costs))
  }
  return rows
}

async function measure(servers: readonly Server[], way: Way): Promise<Costs> {
  const listening = servers.map(async (server) => {
    return { ...server, clients: await subscribers(way.receivers, server.broker, server.dialect) }
  })
  const subjects = await Promise.all(listening)
  const take = (subject: Subject) => costOf(subject, way)
  await interleaved(subjects, WARM_UP, take)
  const costs = await interleaved(subjects, ROUNDS, take)
  for (const client of subjects.flatMap(({ clients }) => clients)) client.destroy()
  return costs
}

interface Subject extends Server {
  readonly clients: readonly Client[]
}

/** By a sender that is new: no server lets one send on and on at that rate. */
async function costOf({ broker, dialect, clients }: Subject, { inFlight }: Way): Promise<number> {
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
  const threads = globSync(`/proc/${pid}/task/*/schedstat`).map((file) => readFileSync(file, 'utf8'))
  return threads.reduce((sum, nanoseconds) => sum + Number.parseInt(nanoseconds, 10), 0) / 1000
}
