import { setTimeout } from 'node:timers/promises'
import type { Ready } from '../../localstack/ready.ts'
import { seeded } from '../../test/support/random.ts'
import { ResumingClient } from '../../test/support/resuming-client.ts'
import { freeOffset, startStack, temporaryFolder } from '../../test/support/stack.ts'
import { ResumingStream } from './resuming-stream.ts'
import { createReader, type Stored } from './rows.ts'
import { storyteller } from './story.ts'
import { createTraffic, type Traffic } from './traffic.ts'
import { judge, unseenBy, type Verdict } from './verdict.ts'
import { kill, type VictimName, victims } from './victim.ts'

export interface ChaosOptions {
  readonly kills: number
  readonly events: number
  readonly seed: number
  /** No kill begins after so many milliseconds. */
  readonly limit: number
  /** Leaves out events that a worker runs: a dead one's lease takes a minute to end. */
  readonly isBrief?: boolean
  readonly onKill?: (name: VictimName, milliseconds: number) => void
}

export interface Outcome {
  readonly kills: readonly VictimName[]
  /** From each kill until it answered again, in milliseconds, in ascending order. */
  readonly recoveries: readonly number[]
  readonly traffic: Traffic
  readonly stored: Stored
  /** How often a watcher resumed. */
  readonly resumed: number
  readonly verdict: Verdict
}

const MAX_ATTEMPTS = 3

/** Retries within seconds. */
const QUICK = {
  WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_RETRY_MAX_ATTEMPTS: String(MAX_ATTEMPTS),
  WEBHOOK_RETRY_DELAY_MINUTES: '0.01,0.02,0.03',
  WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
  STOMP_CONNECTIONS_PER_USER: '1000',
  CHANNELS_ANONYMOUS_PER_ADDRESS: '512',
}

const SENDERS = 12

/** In milliseconds; the longest is for runs that a dead worker holds, a minute each, a few times over. */
const PATIENCE = { ready: 30_000, rest: 300_000, seen: 30_000 } as const

/**
 * Sends webhooks to a run of its own while its processes are killed one after the other, then waits until everything
 * has come to rest and looks at what became of every single event.
 */
export async function chaos({ kills, events, seed, limit, isBrief = false, onKill }: ChaosOptions): Promise<Outcome> {
  const data = temporaryFolder()
  const environment = { ...QUICK, PORT_OFFSET: String(await freeOffset()), DATA_DIR: data.path }
  const start = () => startStack(environment)
  // What is sent depends on how fast it goes; whom it hits and when does not.
  const order = seeded(seed)
  const random = seeded(seed + 1)
  let stack = await start()
  const { http, ws, grpc, dynamodb, webhookSecrets: secrets } = stack.ready
  const token = await login(stack.ready)
  const authorization = `Bearer ${token}`
  const watchers = watchersAt(ws, grpc, token)
  const reader = createReader(dynamodb)
  try {
    await Promise.all(watchers.map(({ client }) => client.connect()))
    const traffic = createTraffic({
      address: http,
      secrets,
      nextStory: storyteller(random, isBrief),
      random,
      senders: SENDERS,
    })
    // Nobody can resume who has not been told of anything.
    await traffic.send(1)
    await until(() => watchers.every(({ client }) => client.told.size > 0), PATIENCE.ready)

    const killed: (readonly [name: VictimName, milliseconds: number])[] = []
    const deadline = performance.now() + limit
    for (const name of victims(order, kills)) {
      if (performance.now() > deadline) break
      const share = Math.ceil((events - traffic.sent.length) / (kills - killed.length))
      const moment = traffic.sent.length + order.below(share)
      const sending = traffic.send(share)
      await traffic.reached(moment)
      const struck = performance.now()
      stack = await kill(name, { stack, authorization, start })
      const milliseconds = Math.round(performance.now() - struck)
      killed.push([name, milliseconds])
      onKill?.(name, milliseconds)
      await sending
    }

    await until(async () => (await reader.waiting()) === 0, PATIENCE.rest)
    const stored = await reader.stored()
    const seen = watchers.map(({ name, client }) => ({ name, statuses: client.statuses }))
    await until(() => seen.every((watcher) => unseenBy(watcher, stored).length === 0), PATIENCE.seen)
    return {
      kills: killed.map(([name]) => name),
      recoveries: killed.map(([, milliseconds]) => milliseconds).sort((one, other) => one - other),
      traffic,
      stored,
      resumed: watchers.reduce((sum, { client }) => sum + client.resumed, 0),
      verdict: judge(traffic.sent, stored, seen, MAX_ATTEMPTS),
    }
  } finally {
    for (const { client } of watchers) client.stop()
    reader.close()
    await stack.stop()
    data.remove()
  }
}

/** Several over one channel are cut at the same moment, but not at the same place. */
function watchersAt(ws: string, grpc: string, token: string) {
  return [
    { name: 'STOMP', client: new ResumingClient(token, [ws], 0) },
    { name: 'STOMP too', client: new ResumingClient(token, [ws], 0) },
    { name: 'gRPC', client: new ResumingStream(token, grpc) },
  ] as const
}

async function login({ http, users }: Ready): Promise<string> {
  const { username = '', password = '' } = users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
  const body = new URLSearchParams({ username, password })
  const response = await fetch(`${http}/api/auth/login`, { method: 'POST', body })
  const { token } = (await response.json()) as { readonly token: string }
  return token
}

/** Settles when the condition holds, or when that has taken too long: the verdict tells. */
async function until(condition: () => boolean | Promise<boolean>, patience: number): Promise<void> {
  const end = performance.now() + patience
  while (!(await condition()) && performance.now() < end) await setTimeout(250)
}
