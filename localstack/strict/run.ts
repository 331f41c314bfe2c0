import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { cwd, env } from 'node:process'
import { DIST } from '../../infra/builds.ts'
import { narrowEnvironments } from '../../infra/environment.ts'
import { inWork } from '../../infra/project.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { SECRETS } from '../../lib/runtime/settings/secret-names.ts'
import { localSettings } from '../settings.ts'
import { withProvided } from '../stack/environment.ts'
import { guard } from '../stack/guard.ts'
import { listening } from '../stack/http.ts'
import {
  type EngineFunction,
  LOCAL_FUNCTIONS,
  type LocalRunEngine,
  type Options,
  prepareRun,
} from '../stack/prepare-run.ts'
import { httpApi } from './gateway.ts'
import { invokeApi, type LambdaFunction, startLambda } from './lambda.ts'
import { rateOf, routesOf } from './routes.ts'
import { startTracedQueue } from './traced-queue.ts'

type Service = LocalRunEngine['service']

/** The engine's defaults for functions of serverless.yml, in seconds and megabytes. */
const ENGINE_DEFAULTS = { timeout: 6, memorySize: 1024 }

/** What Lambda writes before each line: time, id of the call and level, which are in ours as well. */
const RUNTIME_PREFIX = /^\d{4}-\S+Z\t\S+\t[A-Z]+\t/

/** What a local run adds to the settings of a deployment. */
const LOCAL_SETTINGS = [...Object.values(SECRETS).flat(), 'DEMO_USERS', 'DEMO_TOKENS']

/** What the role and the region of a deployed function are. */
const ACCESS = /^AWS_(?:ENDPOINT_URL(?:_\w+)?|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|REGION)$/

/**
 * Serves the functions as API Gateway and Lambda do: each in processes of its own, behind the rules of strict/rules.ts.
 * @returns the environment of the channels, a function that starts the event sources, and one that stops it all
 */
export async function runStrict(engine: LocalRunEngine, options: Options) {
  const { service } = engine
  const { LOCAL_CONCURRENCY } = loadConfig({ LOCAL_CONCURRENCY: localSettings.LOCAL_CONCURRENCY })
  const { fronts, environment, startEvents } = await prepareRun(engine, options)
  const queue = await startTracedQueue(env['AWS_ENDPOINT_URL_SQS'] ?? '')
  narrow(service)
  const access = { ...valuesOf(([name]) => ACCESS.test(name)), AWS_ENDPOINT_URL_SQS: queue.url }
  const functions = new Map<string, LambdaFunction>()
  for (const [key, declared] of Object.entries(service.functions)) {
    const own = declared.environment as NodeJS.ProcessEnv
    functions.set(declared.name, {
      ...deployed(declared, service),
      folder: dirname(realpathSync(inWork(DIST))),
      environment: { ...access, ...own, ...optionsOfNode(own) },
      mayLoop: mayLoop(key, service),
    })
  }
  const localOnly = Object.values(LOCAL_FUNCTIONS)
  for (const declared of localOnly) {
    const whole = { ...valuesOf(() => true), ...(environment as Record<string, string>) }
    functions.set(declared.name, { ...deployed(declared, service), folder: cwd(), environment: whole, mayLoop: false })
  }

  const lambda = startLambda(functions, {
    concurrency: LOCAL_CONCURRENCY,
    print: (line) => console.log(line.replace(RUNTIME_PREFIX, '')),
  })
  const api = httpApi({
    routes: routesOf([...Object.values(service.functions), ...localOnly]),
    lambda,
    rate: rateOf(speedOf(service), () => performance.now()),
  })
  const traced = {
    ...lambda,
    invoke: (name: string, event: unknown, trace = '') => lambda.invoke(name, event, trace || queue.traceOf(event)),
  }
  const { gate, localHandler } = fronts.api
  const servers = [
    await listening(guard(api, gate, localHandler), Number(options.httpPort)),
    await listening(guard(invokeApi(traced), fronts.machine.gate), Number(options.lambdaPort)),
  ]
  return {
    environment,
    startEvents,
    async stop() {
      await Promise.all([...servers, lambda, queue].map((part) => part.stop()))
    },
  }
}

/** Gives each function the settings of a deployed one; the secrets are those of this run. */
function narrow(service: Service): void {
  const local = valuesOf(([name]) => LOCAL_SETTINGS.includes(name))
  service.provider.environment = { ...service.provider.environment, ...local }
  narrowEnvironments({ service })
}

function valuesOf(isWanted: (entry: [string, string | undefined]) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(isWanted)) as Record<string, string>
}

/** Those of the run, and then those of the template. */
function optionsOfNode(own: NodeJS.ProcessEnv): { readonly NODE_OPTIONS: string } {
  const { NODE_OPTIONS } = withProvided({ NODE_OPTIONS: env['NODE_OPTIONS'] }, { NODE_OPTIONS: own['NODE_OPTIONS'] })
  return { NODE_OPTIONS: NODE_OPTIONS ?? '' }
}

function deployed({ name, handler, timeout, memorySize }: EngineFunction, { provider }: Service) {
  return {
    name,
    handler,
    timeoutSeconds: timeout ?? provider.timeout ?? ENGINE_DEFAULTS.timeout,
    memoryMegabytes: memorySize ?? provider.memorySize ?? ENGINE_DEFAULTS.memorySize,
  }
}

/** The rule `loop`. */
function mayLoop(key: string, { resources }: Service): boolean {
  const id = `${key.charAt(0).toUpperCase()}${key.slice(1)}LambdaFunction`
  return resources.extensions?.[id]?.Properties?.['RecursiveLoop'] === 'Allow'
}

/** The rule `rate`. */
function speedOf({ resources }: Service) {
  const { DefaultRouteSettings: settings } = resources.extensions?.['HttpApiStage']?.Properties ?? {}
  const { ThrottlingRateLimit, ThrottlingBurstLimit } = settings as Readonly<Record<string, unknown>>
  return { perSecond: Number(ThrottlingRateLimit), burst: Number(ThrottlingBurstLimit) }
}
