import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import type { Row } from '../findings.ts'
import type { Measured } from '../measured.ts'
import { measured } from '../measured.ts'
import { median } from '../median.ts'
import { type Client, connected, frame, subscribers } from './stomp-client.ts'

const SUBSCRIBERS = 1000
const WARM_UP = 50
const ROUNDS = 200
const DESTINATION = '/topic/public/bench'
const BODY = JSON.stringify({ eventId: 'evt_1a2b3c4d5e6f', status: 'PROCESSED', source: 'stripe' })

/** What it takes to hand one message to many. */
export function fanOut(): Promise<readonly Row[]> {
  return measured('channels/stomp-server.ts', fanOutOf)
}

async function fanOutOf(server: Measured): Promise<readonly Row[]> {
  const receivers = await subscribers(SUBSCRIBERS, server.port, DESTINATION)
  const sender = await connected(server.port, 0)
  const send = () => oneRound(sender, receivers)
  for (let round = 0; round < WARM_UP; round += 1) await send()
  const before = await server.ask('cpu')
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await send())
  const after = await server.ask('cpu')
  for (const client of [sender, ...receivers]) client.destroy()
  return [
    { what: 'fan-out 1 → 1,000: CPU per delivery', unit: 'µs', value: (after - before) / ROUNDS / SUBSCRIBERS },
    { what: '– until the last has it, median', unit: 'ms', value: median(times) },
  ]
}

/** @returns milliseconds until the last receiver has the message */
async function oneRound(sender: Client, receivers: readonly Client[]): Promise<number> {
  const all = Promise.all(receivers.map((receiver) => once(receiver, 'data')))
  const start = performance.now()
  sender.write(frame('SEND', { destination: DESTINATION }, BODY))
  await all
  return performance.now() - start
}
