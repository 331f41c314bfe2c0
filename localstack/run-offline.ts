import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { DIST, LOCAL_DIST } from '../infra/builds.ts'
import { loadConfig } from '../lib/runtime/config.ts'
import { concurrencyOf } from './concurrency.ts'
import { guardPorts } from './guard.ts'
import { mendEvents } from './mend-events.ts'
import { mendFailures } from './mend-failures.ts'
import { mendRequests } from './mend-requests.ts'
import { serveNewest } from './newest.mjs'
import { LOCAL_FUNCTIONS, type LocalRunEngine, type Options, prepareRun } from './prepare-run.ts'
import { localSettings } from './settings.ts'

/**
 * Creates all resources of the functions before the gateway reads their environment.
 * @param isDev whether it serves each new build
 * @returns that environment, and a function that starts the event sources outside the
 * gateway; call it when the gateway answers
 */
export async function prepareOffline(engine: LocalRunEngine, options: Options, isDev: boolean) {
  const { service } = engine
  const [httpPort, lambdaPort] = [Number(options.httpPort), Number(options.lambdaPort)]
  const { LOCAL_CONCURRENCY } = loadConfig({ LOCAL_CONCURRENCY: localSettings.LOCAL_CONCURRENCY })
  mendRequests(httpPort, concurrencyOf(LOCAL_CONCURRENCY))
  await mendEvents()
  const { baseUrl, fronts, environment, startEvents } = await prepareRun(engine, options)
  await mendFailures(baseUrl)
  guardPorts(
    new Map([
      [httpPort, fronts.api],
      [lambdaPort, fronts.machine],
    ]),
  )
  if (isDev) serveNewest(service.functions)
  else stayWithBuild(service)
  Object.assign(service.functions, LOCAL_FUNCTIONS)
  return { environment, startEvents }
}

/** Makes the gateway load all functions from the current build, even those that it loads after the next one. */
function stayWithBuild({ functions }: LocalRunEngine['service']): void {
  const build = relative('.', realpathSync(LOCAL_DIST))
  for (const declared of Object.values(functions)) declared.handler = declared.handler.replace(DIST, build)
}
