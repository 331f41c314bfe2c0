import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { kill, pid } from 'node:process'
import { DIST } from '../infra/builds.ts'
import { DELIVERY_SCAN, deliverFunctionOf } from '../infra/deliver/names.ts'
import { stageDestinations } from '../infra/deliver/stage.ts'
import { LOCAL_PATHS } from '../lib/contract/console.ts'
import type { Destination } from '../lib/deliver/destination.ts'
import { loadConfig } from '../lib/runtime/config.ts'
import { edgeSettings } from '../lib/runtime/settings/edge.ts'
import { retrySettings } from '../lib/runtime/settings/retry.ts'
import { eventSource } from './event-source.ts'
import { apiGate, guardPorts, machineGate } from './guard.ts'
import { type Invoke, invokerAt } from './invoke.ts'
import { mendEvents } from './mend-events.ts'
import { mendRequests } from './mend-requests.ts'
import { pollQueue } from './poll-queue.ts'
import type { Properties } from './provision/provider.ts'
import { localResources, type Resource } from './provision/resources.ts'
import { targetQueues } from './provision/targets.ts'
import { roomFor } from './room.ts'
import { invokeEvery } from './schedule.ts'
import { seedUsers } from './seed-users.ts'
import { localSettings } from './settings.ts'

type FunctionEvent = Readonly<Record<string, unknown>>

interface EngineFunction {
  readonly name: string
  /** The path of the file and the name of its export, without the extension. */
  handler: string
  events: readonly FunctionEvent[]
}

/** The part of the deployment engine that a local run uses: serverless.yml with its variables resolved. */
export interface LocalRunEngine {
  readonly service: {
    readonly resources: { readonly Resources: Readonly<Record<string, Resource>> }
    readonly provider: { environment: Properties }
    readonly functions: Record<string, EngineFunction>
  }
}

/** The engine's command line. */
export interface Options {
  readonly httpPort: string
  readonly lambdaPort: string
}

/** How a run serves its functions. */
export interface Mode {
  /** As their sources are at each call, otherwise from the current build. */
  readonly isDev: boolean
  /** Prints a line in the terminal. */
  readonly tell: (text: string) => void
}

/** Functions that exist only on a local run. */
const LOCAL_FUNCTIONS: Readonly<Record<string, EngineFunction>> = {
  senders: {
    name: 'gatehouse-local-senders',
    handler: 'localstack/test-events/functions.senders',
    events: [{ httpApi: `GET ${LOCAL_PATHS.senders}` }],
  },
  testEvents: {
    name: 'gatehouse-local-testEvents',
    handler: 'localstack/test-events/functions.testEvents',
    events: [{ httpApi: `POST ${LOCAL_PATHS.testEvents}` }],
  },
}

/**
 * The scheduled functions, and the longest pause between two runs. The gateway's own schedules support only whole minutes;
 * the setting is in milliseconds. Deliveries are scanned every minute, or as often as all else.
 */
const SCHEDULED = [
  { key: 'retryScan', most: Number.POSITIVE_INFINITY },
  { key: DELIVERY_SCAN, most: 60_000 },
] as const

/**
 * Creates all resources of the functions before the gateway reads their environment.
 * @returns that environment, and a function that starts the event sources outside the
 * gateway; call it when the gateway answers
 */
export async function prepareOffline(
  { service }: LocalRunEngine,
  { httpPort, lambdaPort }: Options,
  { isDev, tell }: Mode,
) {
  const { LOCAL_CONCURRENCY, BASE_URL, TRUSTED_ORIGINS } = loadConfig({
    LOCAL_CONCURRENCY: localSettings.LOCAL_CONCURRENCY,
    BASE_URL: edgeSettings.BASE_URL,
    TRUSTED_ORIGINS: edgeSettings.TRUSTED_ORIGINS,
  })
  mendRequests(Number(httpPort), roomFor(LOCAL_CONCURRENCY))
  guardPorts(
    new Map([
      [Number(httpPort), apiGate({ baseUrl: BASE_URL, trustedOrigins: TRUSTED_ORIGINS })],
      [Number(lambdaPort), machineGate(BASE_URL)],
    ]),
  )
  await mendEvents()
  const destinations = await stageDestinations('local')
  const targets = targetQueues(destinations)
  const resources = localResources({ ...service.resources.Resources, ...targets })
  await resources.provideAll()
  service.provider.environment = await resources.resolveEach(service.provider.environment)
  await seedUsers(String(service.provider.environment['USERS_TABLE']))

  const invoke = invokerAt(Number(lambdaPort))
  const schedule = takeSchedules(service)
  if (!isDev) stayWithBuild(service)
  Object.assign(service.functions, LOCAL_FUNCTIONS)
  if (isDev) await serveSources(service.functions, destinations, tell)
  const sources = await sourcesOf(service, resources.resolve)
  return {
    environment: service.provider.environment,
    startEvents(signal: AbortSignal): void {
      for (const source of sources) {
        for (let poller = 0; poller < source.pollers; poller++) void pollQueue(source, invoke, signal)
      }
      schedule(invoke, signal)
    },
  }
}

/** Serves the functions as their sources are. Other handlers than now need other functions: the gateway starts again. */
async function serveSources(
  functions: LocalRunEngine['service']['functions'],
  destinations: readonly Destination[],
  tell: Mode['tell'],
): Promise<void> {
  const [{ serveCurrent }, { onceOtherHandlers }] = await Promise.all([
    import('./dev/functions.ts'),
    import('./dev/handlers.ts'),
  ])
  const team = destinations.flatMap(({ name, target }) =>
    target.to === 'handler' ? [[deliverFunctionOf(name), target.path] as const] : [],
  )
  serveCurrent(functions, new Map(team), tell)
  onceOtherHandlers(tell, () => {
    tell('The handlers have changed.')
    kill(pid, 'SIGTERM')
  })
}

/** Every queue that a function reads. */
async function sourcesOf({ functions }: LocalRunEngine['service'], resolve: (value: unknown) => Promise<unknown>) {
  const declared = Object.values(functions).flatMap(({ name, events }) =>
    events.filter(({ sqs }) => sqs !== undefined).map(({ sqs }) => ({ name, sqs })),
  )
  return Promise.all(declared.map(async ({ name, sqs }) => eventSource(name, await resolve(sqs))))
}

/** Makes the gateway load all functions from the current build, even those that it loads after the next one. */
function stayWithBuild({ functions }: LocalRunEngine['service']): void {
  const build = relative('.', realpathSync(DIST))
  for (const declared of Object.values(functions)) declared.handler = declared.handler.replace(DIST, build)
}

/** Removes the schedules from the gateway. */
function takeSchedules({ functions }: LocalRunEngine['service']) {
  const { WEBHOOK_RETRY_SCAN_INTERVAL_MS: interval } = loadConfig(retrySettings)
  const schedules = SCHEDULED.flatMap(({ key, most }) => {
    const scheduled = functions[key]
    if (!scheduled) return []
    scheduled.events = scheduled.events.filter(({ schedule }) => schedule === undefined)
    return [{ name: scheduled.name, interval: Math.min(interval, most) }]
  })
  return (invoke: Invoke, signal: AbortSignal) => {
    for (const { name, interval } of schedules) void invokeEvery(interval, name, invoke, signal)
  }
}
