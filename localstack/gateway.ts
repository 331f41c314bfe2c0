import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { execPath, stderr } from 'node:process'
import type { DataFolder } from './data-folder.ts'
import { keepRunning, type Starting } from './keep-running.ts'
import { HOST, type Ports } from './ports.ts'
import type { RunPart } from './supervisor.ts'

const ROOT = join(import.meta.dirname, '..')

/** Switches off side effects of the engine, and keeps its cache inside this folder. */
const ENGINE = {
  SLS_LOG_LEVEL: 'error',
  SLS_DEPRECATION_DISABLE: '*',
  SLS_SCHEMA_CACHE_BASE_DIR: join(ROOT, 'node_modules/.cache/gatehouse'),
}

const PATIENCE = 2000

export interface Gateway extends Starting {
  /**
   * Lets the gateway start to use the bundles and the emulators.
   * @param isDev whether it builds each function anew when its sources have changed
   */
  go(isDev: boolean): void
  /** The environment of the functions, once everything that it refers to exists. */
  readonly provided: Promise<NodeJS.ProcessEnv>
}

/** What a gateway is started with. */
interface Launch {
  readonly ports: Ports
  readonly environment: NodeJS.ProcessEnv
  readonly data: DataFolder
  /** Whether it has the rules of AWS. */
  readonly isStrict: boolean
}

/**
 * Starts API gateway and functions as a child process, so that none of their output reaches standard output. It is up
 * when every endpoint answers.
 */
export function startGateway(launch: Launch): Gateway {
  const allowed = Promise.withResolvers<boolean>()
  const provided = Promise.withResolvers<NodeJS.ProcessEnv>()

  function start(): Starting {
    const child = spawnGateway(launch)
    const part = partOf(child)
    void allowed.promise.then((isDev) => child.connected && child.send({ event: 'go', isDev }))
    const { promise: up, resolve } = Promise.withResolvers<void>()
    child.on('message', (message) => {
      const news = message as News
      if (news.event === 'provided') provided.resolve(news.environment)
      if (news.event === 'ready') resolve()
      if (news.event === 'told') stderr.write(`${news.text}\n`)
    })
    return { part, up }
  }

  return { ...keepRunning(start), go: allowed.resolve, provided: provided.promise }
}

function spawnGateway({ ports, environment, data: { log }, isStrict }: Launch): ChildProcess {
  const args = isStrict ? strictArguments(ports) : offlineArguments(ports)
  return spawn(execPath, [join(ROOT, 'node_modules/serverless/bin/serverless.js'), ...args], {
    cwd: ROOT,
    // A Ctrl-C in the terminal must reach only the parent, which stops its parts in order.
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor, 'ipc'],
    env: { ...environment, ...ENGINE },
  })
}

function offlineArguments({ http, lambda, websocket }: Ports): readonly string[] {
  const options = { stage: 'local', host: HOST, httpPort: http, lambdaPort: lambda, websocketPort: websocket }
  return ['offline', 'start', ...asOptions(options)]
}

function strictArguments({ http, lambda }: Ports): readonly string[] {
  return ['strict', ...asOptions({ stage: 'local', httpPort: http, lambdaPort: lambda })]
}

function asOptions(options: Readonly<Record<string, string | number>>): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`])
}

function partOf(child: ChildProcess): RunPart {
  const ended = once(child, 'exit')
  return {
    name: 'The gateway',
    ended,
    async stop() {
      child.kill('SIGTERM')
      const overdue = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
      await ended
      clearTimeout(overdue)
    },
  }
}

type News =
  | { readonly event: 'provided'; readonly environment: NodeJS.ProcessEnv }
  | { readonly event: 'ready' }
  | { readonly event: 'told'; readonly text: string }
