import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, kill } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { cpuOfTree } from './process-tree.ts'

/** What is started from a command line to answer over HTTP, together with all processes that it starts itself. */
export interface Command {
  readonly line: readonly [program: string, ...parameters: string[]]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Answers 200 once the service is there. */
  readonly url: string
}

export interface Service {
  /** Milliseconds from its start to the first 200. */
  readonly startTime: number
  /** Milliseconds from its start to the line that it is ready. */
  readonly readyTime: number
  /** Milliseconds of CPU that its processes have taken until now. */
  cpu(): number
  stop(): Promise<void>
}

/** How often to ask whether it answers by now, in milliseconds. */
const PAUSE = 10

/** What takes longer than this many milliseconds never answers. */
const PATIENCE = 120_000

/** Starts it, and waits for its first 200 and its line. @throws Error when it ends before, or takes too long */
export async function startService(command: Command): Promise<Service> {
  const { line, folder, environment, url } = command
  const { PATH, HOME } = env
  const start = performance.now()
  const [program, ...parameters] = line
  const child = spawn(program, parameters, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH, HOME, ...environment },
  })
  const ended = once(child, 'exit')
  const ready = once(child.stdout, 'data').then(() => performance.now() - start)
  // Until the first 200 nobody waits.
  ready.catch(() => {})
  async function stop(): Promise<void> {
    if (!hasEnded(child)) kill(-(child.pid ?? 0), 'SIGINT')
    await ended
  }
  while (!(await answers(url))) {
    if (hasEnded(child)) throw new Error(`${line.join(' ')} ended with ${child.exitCode ?? child.signalCode}`)
    if (performance.now() - start > PATIENCE) {
      await stop()
      throw new Error(`${line.join(' ')} does not answer`)
    }
    await setTimeout(PAUSE)
  }
  const startTime = performance.now() - start
  return { startTime, readyTime: await ready, cpu: () => cpuOfTree(child.pid ?? 0), stop }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
