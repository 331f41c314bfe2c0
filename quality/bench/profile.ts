import { once } from 'node:events'
import type { Profiler } from 'node:inspector'
import { kill } from 'node:process'
import { canConnect } from '../../localstack/stack/parts.ts'
import { until } from './meter.ts'

/** The files of the functions; any other file is the gateway's. */
const BUILD = '/.builds/'

/**
 * The functions' share of what a process computes for some work: they share a thread with the gateway, so only a profile tells.
 * What no file has called, as Node's network and the collection of garbage, is shared in the same proportion.
 * @param port where its inspector is to listen
 */
export async function shareOfFunctions(pid: number, port: number, work: () => Promise<unknown>): Promise<number> {
  kill(pid, 'SIGUSR1')
  await until(() => canConnect(port))
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  const ask = async (method: string) => {
    socket.send(JSON.stringify({ id: 1, method }))
    const [{ data }] = await once(socket, 'message')
    return JSON.parse(data).result
  }
  await ask('Profiler.enable')
  await ask('Profiler.start')
  await work()
  const { profile } = await ask('Profiler.stop')
  socket.close()
  return shareIn(profile)
}

/** A node comes before its children. */
function shareIn({ nodes }: Profiler.Profile): number {
  const hits = { functions: 0, gateway: 0 }
  const owners = new Map<number, keyof typeof hits>()
  for (const { id, callFrame, hitCount = 0, children = [] } of nodes) {
    const own = ownerOf(callFrame.url)
    const owner = own === 'functions' ? own : (owners.get(id) ?? own)
    if (owner === undefined) continue
    hits[owner] += hitCount
    for (const child of children) owners.set(child, owner)
  }
  return hits.functions / (hits.functions + hits.gateway)
}

function ownerOf(url: string): 'functions' | 'gateway' | undefined {
  if (url.includes(BUILD)) return 'functions'
  return url === '' || url.startsWith('node:') ? undefined : 'gateway'
}
