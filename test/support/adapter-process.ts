import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { localEnvironment } from './stack.ts'

/** One container's process, by itself. */
export interface AdapterProcess {
  readonly ws: string
  readonly grpc: string
  readonly child: ChildProcess
  /** Exit code and signal. */
  readonly ended: Promise<readonly unknown[]>
}

/** Starts the bundle on ports of its own and waits until it listens. */
export async function startAdapter(settings: Readonly<Record<string, string>>): Promise<AdapterProcess> {
  const env = localEnvironment({ ...settings, GRPC_PORT: '0', WS_PORT: '0' })
  const child = spawn(execPath, ['dist/adapter/index.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly ws: number; readonly grpc: number }>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('channels listen')) resolve(JSON.parse(line))
  })
  child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  const { ws, grpc } = await promise
  return { ws: `ws://127.0.0.1:${ws}/ws`, grpc: `127.0.0.1:${grpc}`, child, ended }
}
