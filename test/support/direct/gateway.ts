// Serves all functions from their sources, in this process, behind the gateway of the strict stage. It is started in
// place of the deployment engine (localstack/stack/gateway.ts), and speaks with its parent as that does.
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Server } from 'node:http'
import { resolve } from 'node:path'
import process, { env, exit } from 'node:process'
import type { InvocationResult } from '../../../localstack/stack/event-sources.ts'
import type { EngineOrder } from '../../../localstack/stack/gateway.ts'
import { type Front, guard } from '../../../localstack/stack/guard.ts'
import { admitOnly, concurrencyOf, withEachChallenge } from '../../../localstack/stack/offline.ts'
import { HOST } from '../../../localstack/stack/ports.ts'
import { type EngineFunction, LOCAL_FUNCTIONS, prepareRun } from '../../../localstack/stack/prepare-run.ts'
import { httpApi } from '../../../localstack/strict/gateway.ts'
import { invokeApi } from '../../../localstack/strict/lambda.ts'
import { routesOf } from '../../../localstack/strict/routes.ts'
import { LIMITS } from '../../../localstack/strict/rules.ts'
import { InvokeRefusal } from '../../../localstack/strict/runtime-api.ts'
import { running } from '../calls/running.ts'
import './remembered-hashes.ts'
import { resolvedService } from './service.ts'
import { standInForBuild } from './sources.ts'

type Handler = (event: unknown, context: object) => Promise<unknown>

process.once('disconnect', () => exit(1))
const ordered = once(process, 'message')
const [service] = await Promise.all([resolvedService(), standInForBuild()])
const [{ parameters, environment: given, log }] = (await ordered) as unknown as readonly [EngineOrder]
const permission = once(process, 'message')
for (const name of Object.keys(env)) delete env[name]
Object.assign(env, given)
if (log !== undefined) {
  for (const output of [1, 2]) {
    closeSync(output)
    openSync(log, 'a')
  }
}
await permission

const { provider } = service
for (const name of Object.keys(provider.environment)) {
  if (env[name] !== undefined) provider.environment = { ...provider.environment, [name]: env[name] }
}
const options = { httpPort: option('httpPort'), lambdaPort: option('lambdaPort') }
const { fronts, environment, startEvents } = await prepareRun({ service }, options)
for (const [name, value] of Object.entries(environment)) env[name] = String(value)

const declared = [...Object.values(service.functions), ...Object.values(LOCAL_FUNCTIONS)]
const functions = new Map(declared.map((one) => [one.name, one]))
const loaded = new Map<string, Promise<Handler>>()

const lambda = {
  async invoke(name: string, event: unknown): Promise<InvocationResult> {
    const called = functions.get(name)
    if (!called) throw new InvokeRefusal(404, 'ResourceNotFoundException', `Function not found: ${name}`)
    return running.run(name, () => run(called, event))
  },
  stop: async () => {},
}

async function run(called: EngineFunction, event: unknown): Promise<InvocationResult> {
  try {
    const handler = loaded.get(called.name) ?? load(called)
    loaded.set(called.name, handler)
    const result = await (await handler)(event, contextOf(called))
    return { isError: false, payload: result === undefined ? '' : JSON.stringify(result) }
  } catch (error) {
    console.error(error)
    return { isError: true, payload: JSON.stringify({ errorMessage: String(error) }) }
  }
}

/** All functions share one environment, so what one has besides is seen by those that load after it. */
async function load({ handler, environment: own }: EngineFunction): Promise<Handler> {
  for (const [name, value] of Object.entries(own ?? {})) env[name] ??= String(value)
  const [path = '', name = ''] = handler.split('.')
  const [, deployed] = /^dist\/(.*)\/index$/.exec(path) ?? []
  return deployed === undefined
    ? (await import(resolve(`${path}.mjs`)))[name]
    : (await import(resolve(`functions/${deployed}.ts`))).start()
}

function contextOf({ name, timeout = provider.timeout ?? 6 }: EngineFunction) {
  const end = performance.now() + timeout * 1000
  return {
    functionName: name,
    awsRequestId: crypto.randomUUID(),
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(end - performance.now())),
  }
}

function option(name: string): string {
  return parameters[parameters.indexOf(`--${name}`) + 1] ?? ''
}

async function listen(server: Server, port: string, { gate, localHandler }: Front): Promise<void> {
  guard(server, gate, localHandler).listen(Number(port), HOST)
  await once(server, 'listening')
}

/** Headers that are too large for API Gateway reach the function, which refuses them itself. */
const limits = { ...LIMITS, headers: Number.POSITIVE_INFINITY }
const api = httpApi({ routes: routesOf(declared), lambda, rate: { take: () => true }, renamed: [], limits })
// A client that waits between two calls must not find its connection closed.
api.keepAliveTimeout = 60_000
api.prependListener('request', (_, response) => withEachChallenge(response))
admitOnly(api, concurrencyOf(Number(env['LOCAL_CONCURRENCY'] ?? 256)))
await listen(api, options.httpPort, fronts.api)
await listen(invokeApi(lambda), options.lambdaPort, fronts.machine)
process.send?.({ event: 'provided', environment })
const stopping = new AbortController()
startEvents(stopping.signal)
process.send?.({ event: 'ready' })
await once(process, 'SIGTERM')
stopping.abort()
exit(0)
