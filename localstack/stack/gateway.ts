import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { CACHE, ENGINE, packageFolder } from '../../infra/project.ts'
import type { DataFolder } from './data-folder.ts'
import { keepRunning, type RunPart, type Starting } from './parts.ts'
import { LISTEN_HOST, type Ports } from './ports.ts'

const PATIENCE = 2000

/** What a gateway is started with. */
interface Launch {
  /** The engine of the first start. */
  readonly engine: Engine
  readonly ports: Ports
  readonly environment: NodeJS.ProcessEnv
  readonly data: DataFolder
  /** Whether it enforces the rules of AWS. */
  readonly isStrict: boolean
}

/**
 * Starts API gateway and functions as a child process, so that their output does not reach standard output. It is ready
 * when every endpoint answers.
 */
export function startGateway(launch: Launch) {
  const allowed = Promise.withResolvers<boolean>()
  const provided = Promise.withResolvers<NodeJS.ProcessEnv>()

  const { ports, environment, data, isStrict } = launch
  const parameters = parametersOf(ports, isStrict)
  let loaded: Engine | undefined = launch.engine
  let running: Engine | undefined

  function start(): Starting {
    const engine = loaded ?? launch.engine.again()
    loaded = undefined
    const { child } = engine
    running = engine
    engine.order({ parameters, environment, log: data.log.path })
    const part = partOf(engine)
    void allowed.promise.then((isDev) => child.connected && child.send({ event: 'go', isDev }))
    const { promise: up, resolve } = Promise.withResolvers<void>()
    child.on('message', (message) => {
      const news = message as News
      if (news.event === 'provided') provided.resolve(news.environment)
      if (news.event === 'ready') resolve()
    })
    return { part, up }
  }

  return {
    ...keepRunning(start),
    /** Lets it start to use the bundles and the emulators. @param isDev whether it serves each new build */
    go: (isDev: boolean) => allowed.resolve(isDev),
    /** Starts it again, as the files of the project are now. */
    restart: () => void running?.child.kill('SIGTERM'),
    /** The environment of the functions, once everything that it refers to exists. */
    provided: provided.promise,
  }
}

/** The command line of the engine. */
function parametersOf({ http, lambda, websocket }: Ports, isStrict: boolean): readonly string[] {
  const command = isStrict ? ['strict'] : ['offline', 'start', '--host', LISTEN_HOST, '--websocketPort', `${websocket}`]
  return [...command, '--stage', 'local', '--httpPort', `${http}`, '--lambdaPort', `${lambda}`]
}

function partOf({ child, ended }: Engine): RunPart {
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

type News = { readonly event: 'provided'; readonly environment: NodeJS.ProcessEnv } | { readonly event: 'ready' }

/** Arguments of Node. */
const PROGRAM = [
  '--import',
  join(ENGINE, 'localstack/stack/engine-ahead.mjs'),
  join(packageFolder('serverless'), 'bin/serverless.js'),
]

/** Switches off side effects of the engine, and keeps its cache with ours. */
const QUIET = {
  SLS_LOG_LEVEL: 'error',
  SLS_DEPRECATION_DISABLE: '*',
  SLS_SCHEMA_CACHE_BASE_DIR: CACHE,
}

/** What the engine is to do; `log` is the file of its output, unless that is standard error. */
export interface EngineOrder {
  readonly parameters: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly log: string | undefined
}

/** A process of the deployment engine that loads, and then waits for its order. */
export interface Engine {
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
  order(order: EngineOrder): void
  /** Another one, to take its place. */
  again(): Engine
}

/** Starts to load the deployment engine, which takes longer than to find out what it is to do. */
export function loadEngine(program: readonly string[] = PROGRAM): Engine {
  const child = spawn(execPath, program, {
    cwd: ENGINE,
    // A Ctrl-C in the terminal must reach only the parent, which stops its parts in order.
    detached: true,
    stdio: ['ignore', 2, 2, 'ipc'],
    env: { ...env, ...QUIET },
  })
  return {
    child,
    ended: once(child, 'exit'),
    again: () => loadEngine(program),
    order({ environment, ...order }) {
      if (child.connected) child.send({ ...order, environment: { ...environment, ...QUIET } })
    },
  }
}
