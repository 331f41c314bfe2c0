import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripeEvent } from '../../test/support/sent-events.ts'
import { effort } from './effort.ts'
import { compared, type Findings, judged, type Row } from './findings.ts'
import { type Running, type System, systems, until } from './systems.ts'

const WARM_UP = effort(300, 5)
const EVENTS = effort(2000, 40)
const AT_A_TIME = 16

/** Every tenth is sent twice. */
const REPEATED = 10

/** How many calls the receiver refuses, one after the other. */
const REFUSED = effort(400, 10)

/** What has not arrived after so many milliseconds without an arrival is lost. */
const PATIENCE = effort(150_000, 30_000)

/**
 * Receive, keep and hand on 2,000 signed events, 200 of them twice, to a receiver that fails for a while, with a `kill -9` of
 * everything in the middle. What got no 2xx is sent again, as providers do.
 */
export async function job(): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const receiver = await startReceiver()
  const rows: Row[] = []
  const costs = new Map<string, readonly number[]>()
  for (const system of await systems(folder, receiver.url)) {
    receiver.forget()
    const { cost, lost, doubled } = await done(system, receiver)
    costs.set(system.name, [cost])
    for (const [what, value] of Object.entries({ 'lost after a 2xx': lost, 'doubled at the receiver': doubled }))
      rows.push({ what: `${what}: ${system.name}`, unit: 'events', value })
    rows.push({ what: `written by its user: ${system.name}`, unit: 'lines', value: system.lines })
  }
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
  return judged([...compared('received and delivered, per 1,000 events', 's of CPU', costs), ...rows])
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Counts what it takes, by the id of the event. */
async function startReceiver() {
  const arrivals = new Map<string, number>()
  let [refusals, lastAt] = [0, 0]
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const isRefused = refusals > 0
    if (isRefused) refusals -= 1
    else {
      const { id } = JSON.parse(body)
      arrivals.set(id, (arrivals.get(id) ?? 0) + 1)
      lastAt = performance.now()
    }
    response.writeHead(isRefused ? 500 : 204).end()
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    arrivals,
    refuse(calls: number): void {
      refusals = calls
    },
    forget: () => arrivals.clear(),
    /** Settles when all have arrived, or when no more does. */
    async rest(ids: readonly string[]): Promise<void> {
      lastAt = performance.now()
      await until(() => performance.now() - lastAt > PATIENCE || ids.every((id) => arrivals.has(id)), Infinity)
    },
    close: () => void server.close(() => server.closeAllConnections()),
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
  const middle = Math.floor(sent.length / 2)
  const ids = await sendAll(
    sent,
    () => running,
    async (index) => {
      if (index === Math.floor(sent.length / 4)) receiver.refuse(REFUSED)
      if (index !== middle) return
      spent += running.cpu() - before
      await running.kill()
      running = await system.start()
      before = running.cpu()
    },
  )
  await receiver.rest(ids)
  spent += running.cpu() - before
  await running.kill()
  const times = ids.map((id) => receiver.arrivals.get(id) ?? 0)
  const lost = times.filter((count) => count === 0).length
  return { cost: (spent / EVENTS) * 1000, lost, doubled: times.filter((count) => count > 1).length }
}

function bodies(count: number): readonly string[] {
  return Array.from({ length: count }, () => stripeEvent(2400))
}

/**
 * Sends events, so many at a time, each until it gets a 2xx.
 * @param before runs before each
 * @returns their ids, each once
 */
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

async function isTaken({ url, headersOf }: Running, body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...headersOf(body) }
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) })
  await response.arrayBuffer()
  return response.ok
}
