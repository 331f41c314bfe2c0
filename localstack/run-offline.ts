import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { kill, pid } from 'node:process'
import { DIST, LOCAL_DIST } from '../infra/builds.ts'
import { deliverFunctionOf } from '../infra/deliver/names.ts'
import type { Destination } from '../lib/deliver/destination.ts'
import { loadConfig } from '../lib/runtime/config.ts'
import { guardPorts } from './guard.ts'
import { mendEvents } from './mend-events.ts'
import { mendFailures } from './mend-failures.ts'
import { mendRequests } from './mend-requests.ts'
import { LOCAL_FUNCTIONS, type LocalRunEngine, type Options, prepareRun } from './prepare-run.ts'
import { roomFor } from './room.ts'
import { localSettings } from './settings.ts'

/** How a run serves its functions. */
export interface Mode {
  /** As their sources are at each call, otherwise from the current build. */
  readonly isDev: boolean
  /** Prints a line in the terminal. */
  readonly tell: (text: string) => void
}

/**
 * Creates all resources of the functions before the gateway reads their environment.
 * @returns that environment, and a function that starts the event sources outside the
 * gateway; call it when the gateway answers
 */
export async function prepareOffline(engine: LocalRunEngine, options: Options, { isDev, tell }: Mode) {
  const { service } = engine
  const [httpPort, lambdaPort] = [Number(options.httpPort), Number(options.lambdaPort)]
  const { LOCAL_CONCURRENCY } = loadConfig({ LOCAL_CONCURRENCY: localSettings.LOCAL_CONCURRENCY })
  mendRequests(httpPort, roomFor(LOCAL_CONCURRENCY))
  await mendEvents()
  const { baseUrl, destinations, fronts, environment, startEvents } = await prepareRun(engine, options)
  await mendFailures(baseUrl)
  guardPorts(
    new Map([
      [httpPort, fronts.api],
      [lambdaPort, fronts.machine],
    ]),
  )
  if (!isDev) stayWithBuild(service)
  Object.assign(service.functions, LOCAL_FUNCTIONS)
  if (isDev) await serveSources(service.functions, destinations, tell)
  return { environment, startEvents }
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

/** Makes the gateway load all functions from the current build, even those that it loads after the next one. */
function stayWithBuild({ functions }: LocalRunEngine['service']): void {
  const build = relative('.', realpathSync(LOCAL_DIST))
  for (const declared of Object.values(functions)) declared.handler = declared.handler.replace(DIST, build)
}
