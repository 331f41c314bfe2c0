import { env } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { stageDestinations } from '../../infra/deliver/stage.ts'
import { DELIVERY_SCAN } from '../../infra/names.ts'
import { LOCAL_PATHS } from '../../lib/contract/console.ts'
import { invalid } from '../../lib/errors.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { edgeSettings } from '../../lib/runtime/settings/edge.ts'
import { retrySettings } from '../../lib/runtime/settings/retry.ts'
import { tokenSettings } from '../../lib/runtime/settings/token.ts'
import type { Bench } from '../lab/bench.ts'
import { labHandler } from '../lab/handler.ts'
import { openIssuer } from '../providers/embedded.ts'
import { followClock, isBehind, resetClock } from './clock.mjs'
import { eventSource, type Invoke, invokerAt, pollQueue } from './event-sources.ts'
import { apiGate, machineGate } from './guard.ts'
import { keepExpired, keptRows } from './kept-rows.ts'
import {
  emptyQueue,
  localResources,
  type Properties,
  type Resource,
  type ResourceAttributes,
  seedUsers,
  targetQueues,
} from './resources.ts'

type FunctionEvent = Readonly<Record<string, unknown>>

export interface EngineFunction {
  readonly name: string
  /** The path of the file and the name of its export, without the extension. */
  handler: string
  events: readonly FunctionEvent[]
  readonly timeout?: number
  readonly memorySize?: number
  environment?: Record<string, unknown>
}

/** The part of the deployment engine that a local run uses: serverless.yml with its variables resolved. */
export interface LocalRunEngine {
  readonly service: {
    readonly resources: {
      readonly Resources: Readonly<Record<string, Resource>>
      readonly extensions?: Readonly<Record<string, { readonly Properties?: Properties }>>
    }
    readonly provider: { environment: Properties; readonly timeout?: number; readonly memorySize?: number }
    readonly functions: Record<string, EngineFunction>
  }
}

/** The engine's command line. */
export interface Options {
  readonly httpPort: string
  readonly lambdaPort: string
}

/** Functions that exist only on a local run. */
export const LOCAL_FUNCTIONS: Readonly<Record<string, EngineFunction>> = {
  senders: {
    name: 'gatehouse-local-senders',
    handler: 'localstack/test-events/functions.senders',
    events: [{ httpApi: `ANY ${LOCAL_PATHS.senders}` }],
  },
  testEvents: {
    name: 'gatehouse-local-testEvents',
    handler: 'localstack/test-events/functions.testEvents',
    events: [{ httpApi: `POST ${LOCAL_PATHS.testEvents}` }],
  },
}

/**
 * The scheduled functions, and the pause between two runs, in milliseconds as that of the scans is set. The gateway's own
 * schedules know only whole minutes, and are a calendar to load. Deliveries are scanned every minute, or as often as all else.
 */
const SCHEDULED = [
  { key: 'retryScan', pauseOf: (scan: number) => scan },
  { key: DELIVERY_SCAN, pauseOf: (scan: number) => Math.min(scan, 60_000) },
] as const

/**
 * Creates all resources of the functions, and puts references to them in the place of references to those of a template.
 * Call `startEvents` when Lambda's port answers.
 */
export async function prepareRun({ service }: LocalRunEngine, { httpPort, lambdaPort }: Options) {
  await followClock()
  const { BASE_URL, TRUSTED_ORIGINS, JWT_KEYS } = loadConfig({
    BASE_URL: edgeSettings.BASE_URL,
    TRUSTED_ORIGINS: edgeSettings.TRUSTED_ORIGINS,
    JWT_KEYS: tokenSettings.JWT_KEYS,
  })
  const home = { baseUrl: BASE_URL, trustedOrigins: TRUSTED_ORIGINS }
  const destinations = await stageDestinations('local')
  const resources = localResources({ ...service.resources.Resources, ...targetQueues(destinations) })
  const provided = [...(await resources.provideAll()).values()]
  service.provider.environment = await resources.resolveEach(service.provider.environment)
  for (const declared of Object.values(service.functions))
    declared.environment = await resources.resolveEach(declared.environment ?? {})
  await seedUsers(String(service.provider.environment['USERS_TABLE']))
  const bench = await benchOf(provided)

  const schedules = takeSchedules(service)
  const sources = await sourcesOf(service, resources.resolve)
  const invoke = invokerAt(Number(lambdaPort))
  return {
    baseUrl: BASE_URL,
    destinations,
    fronts: {
      api: {
        gate: apiGate(home),
        localHandler: labHandler({
          ...home,
          port: Number(httpPort),
          keys: JWT_KEYS,
          provider: openIssuer(env),
          bench,
        }),
      },
      machine: { gate: machineGate(BASE_URL) },
    },
    environment: service.provider.environment,
    startEvents(signal: AbortSignal): void {
      for (const source of sources) {
        for (let poller = 0; poller < source.pollers; poller++) void pollQueue(source, invoke, signal)
      }
      for (const { name, interval } of schedules) void invokeEvery(interval, name, invoke, signal)
    },
  }
}

const TOO_MUCH = 'had too many rows at the start to be reset: set it to memory or to a new folder'

/** What the lab does with the tables and queues of a run. */
async function benchOf(provided: readonly ResourceAttributes[]): Promise<Bench> {
  const tables = provided.filter(({ Arn }) => Arn.includes(':table/')).map(({ Ref }) => Ref)
  const queues = provided.filter(({ Arn }) => Arn.includes(':sqs:')).map(({ Ref }) => Ref)
  const clockMoved = async () => {
    if (isBehind()) await keepExpired(tables)
    moved.resolve()
    moved = Promise.withResolvers()
  }
  await clockMoved()
  const restore = await keptRows(tables)
  return {
    clockMoved,
    async reset() {
      if (!restore) throw invalid([{ path: ['DATA_DIR'], message: TOO_MUCH }])
      await Promise.all([restore(), ...queues.map(emptyQueue)])
      await resetClock()
      await clockMoved()
    },
  }
}

/** Every queue that a function reads. */
async function sourcesOf({ functions }: LocalRunEngine['service'], resolve: (value: unknown) => Promise<unknown>) {
  const declared = Object.values(functions).flatMap(({ name, events }) =>
    events.filter(({ sqs }) => sqs !== undefined).map(({ sqs }) => ({ name, sqs })),
  )
  return Promise.all(declared.map(async ({ name, sqs }) => eventSource(name, await resolve(sqs))))
}

/** Removes the schedules from the gateway. */
function takeSchedules({ functions }: LocalRunEngine['service']) {
  const { WEBHOOK_RETRY_SCAN_INTERVAL_MS: interval } = loadConfig(retrySettings)
  return SCHEDULED.flatMap(({ key, pauseOf }) => {
    const scheduled = functions[key]
    if (!scheduled) return []
    scheduled.events = scheduled.events.filter(({ schedule }) => schedule === undefined)
    return [{ name: scheduled.name, interval: pauseOf(interval) }]
  })
}

/** Until the clock is moved again: much may be due then. */
let moved = Promise.withResolvers<void>()

/**
 * Invokes a function repeatedly; each run starts the interval (in milliseconds) after the last one has ended, or when the
 * clock is moved.
 */
async function invokeEvery(interval: number, functionName: string, invoke: Invoke, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await Promise.race([setTimeout(interval, undefined, { signal }), moved.promise])
      await invoke(functionName, { source: 'aws.events', time: new Date().toISOString() }, signal)
    } catch (error) {
      if (!signal.aborted) console.error(`schedule of ${functionName}:`, error)
    }
  }
}
