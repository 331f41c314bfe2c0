import { comparison } from '../comparison.ts'
import { effort } from '../effort.ts'
import { type Findings, judged, together } from '../findings.ts'
import { median } from '../median.ts'
import type { Broker, Kind } from './brokers.ts'
import { type Dialect, subscribers } from './stomp-client.ts'

const CONNECTIONS = effort(5000, 50)
const KIB = 1024

/** What a connection takes that is subscribed and silent; in each round of a new process. */
export async function idleConnections(kinds: readonly Kind[]): Promise<Findings> {
  const rss = new Map<string, number[]>()
  const cpu = new Map<string, number[]>()
  for (const { name, dialect, processes, run } of kinds) {
    for (let round = 0; round < processes; round += 1) {
      const figures = await run((broker) => oneRound(broker, dialect))
      rss.set(name, [...(rss.get(name) ?? []), figures.rss])
      cpu.set(name, [...(cpu.get(name) ?? []), figures.cpu])
    }
  }
  const ours = median(rss.get('gatehouse') ?? [])
  return together({
    'memory of an idle connection': comparison({
      what: 'STOMP, memory of an idle connection',
      unit: 'KiB',
      costs: rss,
      atLeast: { rabbitmq: 10 },
    }),
    'CPU to connect and subscribe one client': comparison({
      what: 'STOMP, CPU to connect and subscribe',
      unit: 'µs',
      costs: cpu,
    }),
    'memory, absolute': judged([
      { what: 'idle STOMP connection, RSS of the server', unit: 'KiB', value: ours, goal: 20 },
    ]),
  })
}

async function oneRound(broker: Broker, dialect: Dialect) {
  const before = await broker.rss()
  const cpuBefore = await broker.cpu()
  const clients = await subscribers(CONNECTIONS, broker, dialect)
  const cpu = ((await broker.cpu()) - cpuBefore) / CONNECTIONS
  const rss = ((await broker.rss()) - before) / CONNECTIONS / KIB
  for (const client of clients) client.destroy()
  return { rss, cpu }
}
