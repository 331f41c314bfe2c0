import { text } from 'node:stream/consumers'
import { stripeEvent } from '../../test/support/sent-events.ts'
import { effort } from './effort.ts'
import { compared, type Row } from './findings.ts'
import { until } from './meter.ts'
import { serving } from './servers.ts'
import { type Running, type System, systems } from './systems.ts'

const WARM_UP = effort(300, 5)
const EVENTS = effort(2000, 40)
const PROFILED = effort(1000, 40)
const AT_A_TIME = 16

/** Every tenth is sent twice. */
const REPEATED = 10

/** How many calls the receiver refuses, one after the other. */
const REFUSED = effort(400, 10)

/** Milliseconds without an arrival, after which the rest is not handed on: it is lost, or locked by the dead worker. */
const PATIENCE = effort(150_000, 30_000)

/**
 * Receive, keep and hand on 2,000 signed events, 200 of them twice, to a receiver that fails for a while, with a `kill -9` of
 * everything in the middle. What got no 2xx is sent again, as providers do.
 */
export async function job(folder: string): Promise<readonly Row[]> {
  const receiver = await startReceiver()
  const rows: Row[] = []
  const costs = new Map<string, readonly number[]>()
  for (const system of await systems(folder, receiver.url)) {
    const { cost, found } = await done(system, receiver)
    costs.set(system.name, [cost])
    for (const [what, unit, value] of found) rows.push({ what: `${what}: ${system.name}`, unit, value })
    rows.push({ what: `written by its user: ${system.name}`, unit: 'lines', value: system.lines })
  }
  receiver.stop()
  return [...compared('received and delivered, per 1,000 events', 's of CPU', costs), ...rows]
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Counts what it takes, by the id of the event. */
async function startReceiver() {
  const arrivals = new Map<string, number>()
  let [refusals, lastAt] = [0, 0]
  const server = await serving(async (request, response) => {
    const { id } = JSON.parse(await text(request))
    const isRefused = refusals > 0
    if (isRefused) refusals -= 1
    else {
      arrivals.set(id, (arrivals.get(id) ?? 0) + 1)
      lastAt = performance.now()
    }
    response.writeHead(isRefused ? 500 : 204).end()
  })
  return {
    ...server,
    arrivals,
    refuse(calls: number): void {
      refusals = calls
    },
    /** Settles when all have arrived, or when no more does. */
    async rest(ids: readonly string[]): Promise<void> {
      lastAt = performance.now()
      await until(() => performance.now() - lastAt > PATIENCE || ids.every((id) => arrivals.has(id)), Infinity)
    },
  }
}

async function done(system: System, receiver: Receiver) {
  let running = await system.start()
  const warm = await sendAll(bodies(WARM_UP), () => running)
  await receiver.rest(warm)
  let before = running.cpu()
  let spent = 0
  const events = bodies(EVENTS)
  const sent = [...events, ...events.filter((_, index) => index % REPEATED === 0)]
  const onTheWay = async (index: number) => {
    if (index === Math.floor(sent.length / 4)) receiver.refuse(REFUSED)
    if (index !== Math.floor(sent.length / 2)) return
    spent += running.cpu() - before
    await running.kill()
    running = await system.start()
    before = running.cpu()
  }
  const ids = await sendAll(sent, () => running, onTheWay)
  await receiver.rest(ids)
  spent += running.cpu() - before
  const functions = await running.ofFunctions?.(async () => {
    await receiver.rest(await sendAll(bodies(PROFILED), () => running))
  })
  await running.kill()
  const times = ids.map((id) => receiver.arrivals.get(id) ?? 0)
  const found: Found[] = [
    ['not handed on', 'events', times.filter((count) => count === 0).length],
    ['doubled at the receiver', 'events', times.filter((count) => count > 1).length],
  ]
  if (functions) found.push(['of it the functions, per 1,000 events', 's of CPU', (functions / PROFILED) * 1000])
  return { cost: (spent / EVENTS) * 1000, found }
}

type Found = readonly [what: string, unit: string, value: number]

const bodies = (count: number) => Array.from({ length: count }, () => stripeEvent(2400))

/** Sends events, so many at a time, each until it gets a 2xx. @param before runs before each @returns their ids, each once */
async function sendAll(
  events: readonly string[],
  system: () => Running,
  before: (index: number) => Promise<void> | void = () => {},
): Promise<readonly string[]> {
  const left = events.entries()
  const worker = async () => {
    for (const [index, body] of left) {
      await before(index)
      await until(() => isTaken(system(), body))
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  return [...new Set(events.map((body): string => JSON.parse(body).id))]
}

async function isTaken({ url, sign }: Running, body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...sign(body) }
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) })
  await response.arrayBuffer()
  return response.ok
}
