import { symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cwd } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { Ready } from '../../localstack/ready.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { seeded } from '../../test/support/random.ts'
import { freeOffset, startStack, temporaryFolder } from '../../test/support/stack.ts'
import { NO_REASON } from './delivery-summary.ts'
import { type Arrival, startSinks } from './sinks.ts'
import { storyteller } from './story.ts'
import { createTraffic, type Sent, type Traffic } from './traffic.ts'
import { kill, type VictimName, victims } from './victim.ts'

export interface DeliveryChaosOptions {
  readonly kills: number
  readonly events: number
  readonly seed: number
  readonly onKill?: (name: VictimName, milliseconds: number) => void
}

export interface Doubled {
  readonly reason: string
  readonly after: number
}

/** What came of the deliveries of a run. */
export interface DeliveryOutcome {
  readonly events: number
  readonly kills: readonly VictimName[]
  readonly refused: number
  /** Acknowledged, and not at a destination. */
  readonly lost: readonly string[]
  /** At a destination more than once, with the reason and how long after the first time, in milliseconds. */
  readonly doubled: ReadonlyMap<string, Doubled>
  /** From the sending to the arrival at the healthy destinations, in milliseconds, in ascending order. */
  readonly delays: { readonly well: readonly number[]; readonly sick: readonly number[] }
}

const HEALTHY = ['north', 'south'] as const
const SICK = 'sick'
const DESTINATIONS = [...HEALTHY, SICK] as const

const SETTINGS = {
  WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_RETRY_DELAY_MINUTES: '0.01,0.02,0.03',
  WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
}

const SENDERS = 6

/** Of all events, those without kills: half of them while all destinations are well. */
const QUIET_SHARE = 0.3

/**
 * Between two stories without kills, in milliseconds. A local run makes the deliveries of a destination one after the
 * other: more would show how long it takes for that.
 */
const PAUSE = 300

/** For all that is under way to come to rest, in milliseconds: leases, and the scan's pause between two hints. */
const PATIENCE = 900_000

/** How long after a kill an answer may come that cannot be noted, in milliseconds: while the database is away. */
const UNNOTED = 5000

/**
 * Sends webhooks that three destinations are to have, one of which is down for half of the time, and kills the service's
 * processes on the way. In the end each destination has to have each acknowledged event.
 */
export async function deliveryChaos({ kills, events, seed, onKill }: DeliveryChaosOptions): Promise<DeliveryOutcome> {
  const copy = temporaryFolder()
  const sinks = await startSinks()
  copyProject(cwd(), copy.path)
  symlinkSync(resolve('quality/node_modules'), join(copy.path, 'quality/node_modules'))
  writeFileSync(join(copy.path, 'gatehouse.config.ts'), configOf(sinks.port))
  const environment = { ...SETTINGS, PORT_OFFSET: String(await freeOffset()), DATA_DIR: join(copy.path, '.data') }
  const start = () => startStack(environment, ['env', '-C', copy.path])
  const order = seeded(seed)
  let stack = await start()
  const authorization = `Bearer ${await login(stack.ready)}`
  const { http, webhookSecrets: secrets } = stack.ready
  const begun = new Map<string, number>()
  const traffic = createTraffic({
    address: http,
    secrets,
    nextStory: storyteller(seeded(seed + 1), true),
    random: seeded(seed + 2),
    senders: SENDERS,
    begins: (shot) => void begun.set(nameOf(shot), Date.now()),
  })
  const killed: { readonly name: VictimName; readonly at: number }[] = []
  try {
    const quiet = Math.round((events * QUIET_SHARE) / 2)
    await trickle(traffic, quiet)
    await arrived(sinks, traffic.sent, HEALTHY)
    const well = traffic.sent.length
    sinks.refuse(SICK)
    await trickle(traffic, quiet)
    await arrived(sinks, traffic.sent, HEALTHY)
    const sick = traffic.sent.length

    for (const [index, name] of [...victims(order, kills)].entries()) {
      const share = Math.ceil((events - traffic.sent.length) / (kills - index))
      const moment = traffic.sent.length + order.below(share)
      const sending = traffic.send(share)
      await traffic.reached(moment)
      const at = Date.now()
      stack = await kill(name, { stack, authorization, start })
      killed.push({ name, at })
      onKill?.(name, Date.now() - at)
      await sending
      if (index + 1 === Math.ceil(kills / 2)) sinks.accept(SICK)
    }
    sinks.accept(SICK)
    await arrived(sinks, traffic.sent, DESTINATIONS)

    const delayOf = (sent: readonly Sent[]) =>
      delaysOf(
        sent,
        begun,
        HEALTHY.flatMap((name) => sinks.of(name)),
      )
    return {
      events: traffic.sent.length,
      kills: killed.map(({ name }) => name),
      refused: sinks.refused,
      lost: missing(sinks, traffic.sent, DESTINATIONS),
      doubled: doubledIn(
        sinks,
        killed.map(({ at }) => at),
      ),
      delays: { well: delayOf(traffic.sent.slice(0, well)), sick: delayOf(traffic.sent.slice(well, sick)) },
    }
  } finally {
    await stack.stop()
    sinks.stop()
    copy.remove()
  }
}

/** Tells so many events more, a story at a time. */
async function trickle({ send, sent }: Traffic, count: number): Promise<void> {
  for (const end = sent.length + count; sent.length < end; await setTimeout(PAUSE)) await send(1)
}

type Sinks = Awaited<ReturnType<typeof startSinks>>

function configOf(port: number): string {
  const destinations = DESTINATIONS.map(
    (
      name,
    ) => `${name}: { to: 'http', url: byStage({ local: 'http://127.0.0.1:${port}/${name}', default: 'https://example.com' }),
      from: { '*': ['**'] }, timeoutSeconds: 5, retry: [1, 2, 5, 10], giveUpAfterHours: 72 }`,
  )
  return `import { byStage, defineConfig } from './lib/config.ts'
export default defineConfig({ destinations: { ${destinations.join(',\n')} } })
`
}

function nameOf({ source, eventId }: Pick<Sent, 'source' | 'eventId'>): string {
  return `${source}/${eventId}`
}

function missing(sinks: Sinks, sent: readonly Sent[], names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const there = new Set(sinks.of(name).map(({ event }) => event))
    return sent.filter((one) => one.isAcknowledged && !there.has(nameOf(one))).map((one) => `${nameOf(one)} at ${name}`)
  })
}

/** Settles when all is there, or when that has taken too long: the outcome tells. */
async function arrived(sinks: Sinks, sent: readonly Sent[], names: readonly string[]): Promise<void> {
  const end = performance.now() + PATIENCE
  while (missing(sinks, sent, names).length > 0 && performance.now() < end) await setTimeout(250)
}

function doubledIn(sinks: Sinks, kills: readonly number[]): ReadonlyMap<string, Doubled> {
  const doubled = new Map<string, Doubled>()
  for (const name of DESTINATIONS) {
    const seen = new Map<string, Arrival>()
    for (const arrival of sinks.of(name)) {
      const first = seen.get(arrival.event)
      const after = arrival.at - (first?.at ?? 0)
      if (first) doubled.set(`${arrival.event} at ${name}`, { reason: reasonOf(first, arrival, kills), after })
      else seen.set(arrival.event, arrival)
    }
  }
  return doubled
}

function reasonOf(first: Arrival, again: Arrival, kills: readonly number[]): string {
  const isKilled = kills.some((at) => at >= first.at - UNNOTED && at <= again.at)
  return isKilled ? 'a kill came before the answer was noted' : NO_REASON
}

function delaysOf(sent: readonly Sent[], begun: ReadonlyMap<string, number>, arrivals: readonly Arrival[]) {
  const names = new Set(sent.map(nameOf))
  return arrivals
    .filter(({ event }) => names.has(event))
    .map(({ at, event }) => at - (begun.get(event) ?? at))
    .sort((one, other) => one - other)
}

async function login({ http, users }: Ready): Promise<string> {
  const { username = '', password = '' } = users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
  const response = await fetch(`${http}/api/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  })
  const { token } = (await response.json()) as { readonly token: string }
  return token
}
