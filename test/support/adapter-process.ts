import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { localEnvironment, TIED } from './stack.ts'

/** One container's process, by itself. */
export interface AdapterProcess {
  readonly ws: string
  readonly grpc: string
  readonly child: ChildProcess
  /** Exit code and signal. */
  readonly ended: Promise<readonly unknown[]>
}

/** Where nothing answers, and what is called there. */
export const NOWHERE = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  EVENTS_TABLE: 'none',
  DELIVERIES_TABLE: 'none',
  KEYS_TABLE: 'none',
  USERS_TABLE: 'none',
  SESSIONS_TABLE: 'none',
  RETRY_QUEUE_URL: 'http://127.0.0.1/none',
  MESSAGES_TABLE: 'none',
  AUDIT_TABLE: 'none',
}

/**
 * Starts the bundle on ports of its own and waits until it listens.
 * @param options of Node
 */
export async function startAdapter(
  settings: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<AdapterProcess> {
  const env = localEnvironment({ ...settings, GRPC_PORT: '0', WS_PORT: '0' })
  const child = spawn(execPath, [...TIED, ...options, 'dist/adapter/index.mjs'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly ws: number; readonly grpc: number }>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('channels listen')) resolve(JSON.parse(line))
  })
  child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  const { ws, grpc } = await promise
  return { ws: `ws://127.0.0.1:${ws}/ws`, grpc: `127.0.0.1:${grpc}`, child, ended }
}
