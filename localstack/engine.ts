import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, execPath } from 'node:process'

const ROOT = join(import.meta.dirname, '..')
/** Arguments of Node. */
const PROGRAM = [
  '--import',
  join(ROOT, 'localstack/engine-ahead.mjs'),
  join(ROOT, 'node_modules/serverless/bin/serverless.js'),
]

/** Switches off side effects of the engine, and keeps its cache inside this folder. */
const ENGINE = {
  SLS_LOG_LEVEL: 'error',
  SLS_DEPRECATION_DISABLE: '*',
  SLS_SCHEMA_CACHE_BASE_DIR: join(ROOT, 'node_modules/.cache/gatehouse'),
}

/** What the engine is to do; `log` is the file of its output. */
export interface EngineOrder {
  readonly parameters: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly log: string
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
    cwd: ROOT,
    // A Ctrl-C in the terminal must reach only the parent, which stops its parts in order.
    detached: true,
    stdio: ['ignore', 2, 2, 'ipc'],
    env: { ...env, ...ENGINE },
  })
  return {
    child,
    ended: once(child, 'exit'),
    again: () => loadEngine(program),
    order({ environment, ...order }) {
      if (child.connected) child.send({ ...order, environment: { ...environment, ...ENGINE } })
    },
  }
}
