import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import type { InvocationResult } from '../stack/event-sources.ts'
import { type DeployedFunction, type ExecutionEnvironment, startFunction } from './execution-environment.ts'
import { LIMITS } from './rules.ts'
import { InvokeRefusal } from './runtime-api.ts'
import { invocationsIn, traceAfter } from './traced-queue.ts'

/** A function of the template. */
export interface LambdaFunction extends DeployedFunction {
  /** Whether the template lets it invoke itself for ever. */
  readonly mayLoop: boolean
}

/** Lambda, with the functions of one account. */
export type Lambda = ReturnType<typeof startLambda>

interface Account {
  /** How many calls run at once. */
  readonly concurrency: number
  /** How many processes may wait for a next call; AWS does not say, and a laptop has less memory. */
  readonly mostIdle?: number
  /** Prints what functions print, those whose name it is given. */
  readonly print: (line: string, functionName: string) => void
}

const MOST_IDLE = 24

/** Starts no process before it is needed. */
export function startLambda(
  functions: ReadonlyMap<string, LambdaFunction>,
  { concurrency, mostIdle = MOST_IDLE, print }: Account,
) {
  /** Those that wait for a call, the one that was used last at the end. */
  const idle: { readonly name: string; readonly environment: ExecutionEnvironment }[] = []
  const all = new Set<Promise<ExecutionEnvironment>>()
  const starts = places(availableParallelism())
  let running = 0
  let isStopped = false

  function start(deployed: LambdaFunction): Promise<ExecutionEnvironment> {
    const started = startFunction(deployed, (line) => print(line, deployed.name))
    all.add(started)
    started.catch(() => all.delete(started))
    return started
  }

  /** A process that waits, or else a new one; one for each processor starts at a time, or those that run would stand still. */
  async function ready(deployed: LambdaFunction): Promise<ExecutionEnvironment> {
    const found = waiting(deployed.name)
    if (found) return found
    await starts.enter()
    try {
      return waiting(deployed.name) ?? (await start(deployed))
    } finally {
      starts.leave()
    }
  }

  function waiting(name: string): ExecutionEnvironment | undefined {
    const index = idle.findLastIndex((one) => one.name === name)
    const [found] = index === -1 ? [] : idle.splice(index, 1)
    if (found === undefined || found.environment.isAlive()) return found?.environment
    void end(found.environment)
    return waiting(name)
  }

  async function end(environment: ExecutionEnvironment): Promise<void> {
    for (const started of all) if ((await started.catch(() => undefined)) === environment) all.delete(started)
    await environment.stop()
  }

  function keep(name: string, environment: ExecutionEnvironment): void {
    if (isStopped || !environment.isAlive()) {
      void end(environment)
      return
    }
    idle.push({ name, environment })
    const [oldest] = idle.length > mostIdle ? idle.splice(0, 1) : []
    if (oldest) void end(oldest.environment)
  }

  async function run(deployed: LambdaFunction, event: unknown, trace: string): Promise<InvocationResult> {
    let environment: ExecutionEnvironment | undefined
    try {
      environment = await ready(deployed)
      return await environment.invoke(event, trace)
    } catch (error) {
      if (error instanceof InvokeRefusal) throw error
      return failed(error, (line) => print(line, deployed.name))
    } finally {
      if (environment) keep(deployed.name, environment)
    }
  }

  return {
    /** @param trace that of the chain which the event is part of @throws InvokeRefusal */
    async invoke(name: string, event: unknown, trace = ''): Promise<InvocationResult> {
      const deployed = functions.get(name)
      if (!deployed) throw new InvokeRefusal(404, 'ResourceNotFoundException', `Function not found: ${name}`)
      if (!deployed.mayLoop && invocationsIn(trace) >= LIMITS.loop) throw loopStopped(name, (line) => print(line, name))
      if (running >= concurrency) throw new InvokeRefusal(429, 'TooManyRequestsException', 'Rate Exceeded.')
      running += 1
      try {
        return await run(deployed, event, traceAfter(trace))
      } finally {
        running -= 1
      }
    },
    async stop(): Promise<void> {
      isStopped = true
      const started = await Promise.allSettled(all)
      await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.stop()))
    },
  }
}

/** So many may be inside at once; the others wait in the order in which they came. */
function places(most: number) {
  let inside = 0
  const queue: (() => void)[] = []
  return {
    async enter(): Promise<void> {
      if (inside < most) inside += 1
      else await new Promise<void>((resolve) => queue.push(resolve))
    },
    leave(): void {
      const next = queue.shift()
      if (next) next()
      else inside -= 1
    },
  }
}

/** A process that could not start, or ended in a call. */
function failed(error: unknown, print: (line: string) => void): InvocationResult {
  const message = error instanceof Error ? error.message : String(error)
  print(message)
  return { isError: true, payload: JSON.stringify({ errorType: 'Runtime.ExitError', errorMessage: message }) }
}

function loopStopped(name: string, print: (line: string) => void): InvokeRefusal {
  const message = `${name} has invoked itself ${LIMITS.loop} times: Lambda stops it here`
  print(message)
  return new InvokeRefusal(400, 'RecursiveInvocationException', message)
}

const PATH = /^\/2015-03-31\/functions\/([^/?]+)\/invocations$/

/** Serves Invoke of Lambda's API, for calls that wait for the result; the header of the trace is passed on. */
export function invokeApi(lambda: Lambda): Server {
  return createServer(async (request, response) => {
    try {
      await answer(lambda, request, response)
    } catch (error) {
      refuse(error, response)
    }
  })
}

async function answer(lambda: Lambda, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, name] = PATH.exec(request.url ?? '') ?? []
  if (name === undefined || request.method !== 'POST')
    throw new InvokeRefusal(404, 'UnknownOperationException', 'Not found')
  const event = eventIn(await text(request))
  const trace = String(request.headers['x-amzn-trace-id'] ?? '')
  const { isError, payload } = await lambda.invoke(decodeURIComponent(name), event, trace)
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(isError && { 'x-amz-function-error': 'Unhandled' }),
  })
  response.end(payload)
}

function eventIn(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch {
    throw new InvokeRefusal(400, 'InvalidRequestContentException', 'Could not parse request body into json')
  }
}

function refuse(error: unknown, response: ServerResponse): void {
  const { status, type, message } =
    error instanceof InvokeRefusal ? error : { status: 500, type: 'ServiceException', message: 'Service error' }
  if (!(error instanceof InvokeRefusal)) console.error('invoke:', error)
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type })
  response.end(JSON.stringify({ Type: 'User', message }))
}
