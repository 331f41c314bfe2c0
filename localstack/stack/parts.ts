import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { write } from 'node:fs'
import { connect } from 'node:net'
import process, { env, exit, stderr } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { HOST } from './ports.ts'

/** A part of a run. */
export interface RunPart {
  readonly name: string
  /** Settles when the part has ended, for any reason. */
  readonly ended: Promise<unknown>
  stop(): Promise<unknown>
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The interval between checks that the parent still lives, in milliseconds. */
const GLANCE = 500

/** How long to wait for a part to end, in milliseconds; after that it ends with this process. */
const PATIENCE = 5000

/** Keeps the parts of a run together: all run until a signal comes, and when one ends, all end. */
export class Supervisor {
  readonly #parts: RunPart[] = []
  readonly #log: string
  #isStopping = false

  /** @param log the file to name when a part ends by itself */
  constructor(log: string) {
    this.#log = log
    for (const signal of SIGNALS) process.on(signal, () => void this.stop(0))
    // A run in the background of a shell should outlive the shell, but a run of npm should not outlive npm.
    if (env['npm_lifecycle_event']) this.#followParent()
  }

  /** Adds a part; parts stop in the order in which they were added. */
  add(part: RunPart): void {
    this.#parts.push(part)
    void part.ended.then(() => {
      if (!this.#isStopping) void this.stop(1, `${part.name} ended unexpectedly; ${this.#log} has the reason.`)
    })
  }

  #followParent(): void {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) void this.stop(0)
    }, GLANCE).unref()
  }

  /** Stops all parts once, even if called repeatedly, and ends the process. */
  async stop(code: number, message?: string): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    if (message !== undefined) stderr.write(`${message}\n`)
    setTimeout(() => exit(code), PATIENCE)
    for (const part of this.#parts) await part.stop()
    exit(code)
  }
}

/** A part that is starting. */
export interface Starting {
  readonly part: RunPart
  /** Settles when the part answers, or when it has ended. */
  readonly up: Promise<void>
}

/** A part that ends this often in a row without answering is considered broken. */
const MAXIMUM_FAILURES = 3

/** The pause before a restart, in milliseconds: the cause of the end may recur at once. */
const PAUSE = 200

/** Starts a part, and restarts it whenever it ends by itself, until it is stopped or broken. */
export function keepRunning(start: () => Starting): Starting {
  let current = start()
  let isStopping = false
  const { name } = current.part
  const up = Promise.withResolvers<void>()

  /** Whether the part answered before it ended. */
  async function live({ part, up: answers }: Starting): Promise<boolean> {
    const isUp = await Promise.race([part.ended.then(() => false), answers.then(() => true)])
    if (isUp) up.resolve()
    await part.ended
    return isUp
  }

  async function again(): Promise<void> {
    if (isStopping) return
    stderr.write(`${name} ended and is started again.\n`)
    await sleep(PAUSE)
    if (!isStopping) current = start()
  }

  async function keep(): Promise<void> {
    let failures = 0
    while (!isStopping) {
      failures = (await live(current)) ? 0 : failures + 1
      if (failures === MAXIMUM_FAILURES) return
      await again()
    }
  }

  const part: RunPart = {
    name,
    ended: keep().finally(up.resolve),
    async stop() {
      isStopping = true
      await current.part.stop()
    },
  }
  return { part, up: up.promise }
}

/**
 * A shell script that ends the command when the pipe on standard input closes. The pipe closes with this process, so
 * even SIGKILL leaves no orphan. A background command would read from /dev/null, so descriptor 3 keeps the pipe.
 */
const UNTIL_PIPE_CLOSES =
  'exec 3<&0; "$@" </dev/null 3<&- & c=$!; { while read -r _; do :; done; kill $c; } <&3 2>/dev/null & wait $c'

const CHILD_PATIENCE = 2000

/** Runs a command that ends with this process; a Ctrl-C in the terminal does not reach it. */
export function startChild(
  name: string,
  command: readonly string[],
  log: number,
  environment: NodeJS.ProcessEnv = env,
): RunPart {
  const child = spawn('/bin/sh', ['-c', UNTIL_PIPE_CLOSES, 'sh', ...command], {
    detached: true,
    stdio: ['pipe', log, log],
    env: environment,
  })
  const ended = endOf(child)
  return {
    name,
    ended,
    async stop() {
      child.stdin?.end()
      const overdue = setTimeout(() => killGroup(child), CHILD_PATIENCE)
      await ended
      clearTimeout(overdue)
    },
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  child.stdin?.on('error', () => {})
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  child.stdin?.end()
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

/**
 * Runs a module in a thread of this process: what it throws ends the thread alone, and a thread has less to load and to
 * keep than a process. It is up at its first message.
 * @param input what the module reads as `workerData`
 */
export function startThread(name: string, module: string, input: unknown, log: number): Starting {
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

/** Settles when the port accepts connections, or when the part has ended, which its supervisor reports. */
export async function answers(port: number, part: RunPart, host = HOST): Promise<void> {
  let isOver = false
  void part.ended.then(() => {
    isOver = true
  })
  while (!isOver && !(await canConnect(port, host))) await sleep(10)
}

/** Whether the port accepts connections. */
export function canConnect(port: number, host = HOST): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, host, () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
