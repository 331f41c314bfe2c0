import type { Row } from '../findings.ts'
import type { Measured } from '../measured.ts'
import { measured } from '../measured.ts'
import { median } from '../median.ts'
import { subscribers } from './stomp-client.ts'

const CONNECTIONS = 5000
const ROUNDS = 3
const KIB = 1024

/** What STOMP connections take that are subscribed and silent; in each round of a new process. */
export async function idleConnections(): Promise<readonly Row[]> {
  const rounds: Awaited<ReturnType<typeof oneRound>>[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measured('channels/stomp-server.ts', oneRound))
  const kib = (figure: 'rss' | 'heap' | 'untouched') => median(rounds.map((round) => round[figure] / KIB))
  return [
    { what: 'idle STOMP connection, RSS of the server', unit: 'KiB', value: kib('rss'), goal: 20 },
    { what: '– of it on the JavaScript heap', unit: 'KiB', value: kib('heap') },
    { what: '– RSS before free pages are given back', unit: 'KiB', value: kib('untouched') },
    { what: 'CPU to connect and subscribe one client', unit: 'µs', value: median(rounds.map(({ cpu }) => cpu)) },
  ]
}

async function oneRound(server: Measured) {
  const before = await server.ask('liveMemory')
  const cpuBefore = await server.ask('cpu')
  const clients = await subscribers(CONNECTIONS, server.port, '/topic/public/bench')
  const cpuAfter = await server.ask('cpu')
  const untouched = await server.ask('memory')
  const after = await server.ask('liveMemory')
  for (const client of clients) client.destroy()
  return {
    rss: (after.rss - before.rss) / CONNECTIONS,
    heap: (after.heapUsed - before.heapUsed) / CONNECTIONS,
    untouched: (untouched.rss - before.rss) / CONNECTIONS,
    cpu: (cpuAfter - cpuBefore) / CONNECTIONS,
  }
}
