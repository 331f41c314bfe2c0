import { once } from 'node:events'
import { write } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Starting } from '../keep-running.ts'

/**
 * Runs a module in a thread of this process: what it throws ends the thread alone, and a thread has less to load and to
 * keep than a process. It is up at its first message.
 * @param input what the module reads as `workerData`
 */
export function startThread(name: string, module: URL, input: unknown, log: number): Starting {
  const worker = new Worker(module, { workerData: input, stdout: true, stderr: true })
  const tell = (text: string) => write(log, text, () => {})
  for (const stream of [worker.stdout, worker.stderr]) stream.setEncoding('utf8').on('data', tell)
  worker.on('error', (error) => tell(`${name}: ${error instanceof Error ? error.stack : error}\n`))
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  worker.once('exit', () => resolve())
  const up = once(worker, 'message').then(
    () => {},
    () => ended,
  )
  return { part: { name, ended, stop: () => worker.terminate() }, up }
}
