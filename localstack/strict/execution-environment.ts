import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { LIMITS } from './rules.ts'
import { type Result, startRuntimeApi } from './runtime-api.ts'

/** A function as it was deployed. */
export interface DeployedFunction {
  readonly name: string
  /** As in `_HANDLER`. */
  readonly handler: string
  readonly timeoutSeconds: number
  readonly memoryMegabytes: number
  readonly environment: Readonly<Record<string, string>>
  /** The folder into which its zip was unpacked. */
  readonly folder: string
}

/** One process of a function. It handles one event after the other, and is frozen in between. */
export type ExecutionEnvironment = Awaited<ReturnType<typeof startFunction>>

const CLIENT = join(import.meta.dirname, 'runtime-client.mjs')

/** How many of the last lines are kept, to show why a process ended. */
const LINES = 100

/** Lambda developer guide, "Defined runtime environment variables", without those for credentials. */
function platformOf({ name, handler, memoryMegabytes, folder }: DeployedFunction): Record<string, string> {
  return {
    _HANDLER: handler,
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${memoryMegabytes}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: '2026/01/01/[$LATEST]0123456789abcdef0123456789abcdef',
    AWS_REGION: 'eu-central-1',
    LAMBDA_TASK_ROOT: folder,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
  }
}

/**
 * Starts a function's artifact with Lambda's runtime API, and no variables of this process.
 * @param print receives each line of its output
 * @throws Error with the function's report, or output, if it cannot be loaded
 */
export async function startFunction(deployed: DeployedFunction, print: (line: string) => void = () => {}) {
  const { name: functionName, timeoutSeconds } = deployed
  const api = await startRuntimeApi({
    functionName,
    timeoutSeconds,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  })
  const temporary = mkdtempSync(join(reaper().folder, 'tmp-'))
  const start = performance.now()
  const child = spawn(execPath, [CLIENT], {
    cwd: deployed.folder,
    env: {
      ...platformOf(deployed),
      TMPDIR: temporary,
      ...deployed.environment,
      AWS_LAMBDA_RUNTIME_API: api.address,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Lambda freezes and ends a process together with all that it has started.
    detached: true,
  })
  const group = child.pid ?? 0
  reaper().add(group)
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      printed.push(line)
      if (printed.length > LINES) printed.shift()
      print(line)
    })
  }
  let isAlive = true
  const ended = once(child, 'close').finally(() => {
    isAlive = false
    reaper().remove(group)
  })
  const gone = ended.then(() => Promise.reject(new Error(`${functionName} ended:\n${printed.join('\n')}`)))
  gone.catch(() => {})

  function signal(name: NodeJS.Signals): void {
    if (!isAlive || group === 0) return
    try {
      process.kill(-group, name)
    } catch (error) {
      // It has ended, and its output is still being read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  async function stop(): Promise<void> {
    signal('SIGKILL')
    await ended
    await api.close()
    rmSync(temporary, { recursive: true, force: true })
  }

  /** How Lambda treats a call that broke a limit: it ends the process. */
  function cutOff(errorType: string, errorMessage: string): Result {
    signal('SIGKILL')
    isAlive = false
    return { isError: true, payload: JSON.stringify({ errorType, errorMessage }), cpu: 0 }
  }

  async function timely(call: Promise<Result>): Promise<Result> {
    const { promise: late, resolve } = Promise.withResolvers<Result>()
    const message = `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`
    const timer = setTimeout(() => resolve(cutOff('Sandbox.Timedout', message)), timeoutSeconds * 1000)
    try {
      return await Promise.race([call, late, gone])
    } finally {
      clearTimeout(timer)
    }
  }

  try {
    await Promise.race([api.loaded, gone])
  } catch (error) {
    await stop()
    throw error
  }
  return {
    /** From the start of the process to its readiness for an event, in milliseconds. */
    loadTime: performance.now() - start,
    /** Whether it can be called again. */
    isAlive: () => isAlive,
    /**
     * @param trace the chain of calls that the event is part of
     * @throws InvokeRefusal of an event that is too large; Error with what the process printed when it ends
     */
    async invoke(event: unknown, trace?: string): Promise<Result> {
      const result = await timely(api.invoke(event, trace))
      const bytes = isAlive ? bytesIn(temporary) : 0
      return bytes > LIMITS.temporary ? cutOff('Sandbox.NoSpace', `/tmp holds ${bytes} bytes`) : result
    },
    stop,
  }
}

function bytesIn(folder: string): number {
  const files = globSync('**/*', { cwd: folder })
  return files.reduce((sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0), 0)
}

/**
 * Reads lines, each with all groups of processes that run now. When the pipe closes, even after SIGKILL, it ends the
 * last groups and removes the folder: a frozen process cannot notice that its parent has ended.
 */
const SCRIPT =
  'groups=; while read -r line; do groups=$line; done; for group in $groups; do kill -9 -$group; done 2>/dev/null; rm -rf "$0"'

let running: ReturnType<typeof startReaper> | undefined

/** Ends what this process has started, however this process ends. */
function reaper() {
  running ??= startReaper()
  return running
}

function startReaper() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-strict-'))
  const child = spawn('/bin/sh', ['-c', SCRIPT, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const groups = new Set<number>()
  child.stdin.on('error', () => {})
  child.unref()
  ;(child.stdin as Socket).unref()
  const tell = () => void child.stdin.write(`${[...groups].join(' ')}\n`)
  return {
    /** For files that go when this process ends. */
    folder,
    add(group: number): void {
      groups.add(group)
      tell()
    },
    remove(group: number): void {
      if (groups.delete(group)) tell()
    },
  }
}
