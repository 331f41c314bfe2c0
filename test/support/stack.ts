import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Ready } from '../../localstack/stack/ready.ts'
import { leaksIn, logOf, secretsOf } from './log-leaks.ts'

export interface Stack {
  readonly ready: Ready
  readonly process: ChildProcess
  /** Each process that it started, what holds them left out. */
  parts(): readonly Part[]
  /** Everything that was printed on standard output. */
  readonly output: () => readonly string[]
  /** Everything that was printed on standard error. */
  readonly complaints: () => readonly string[]
  /** Ends the whole tree as Ctrl-C does; its exit code. @throws Error when the log of the run holds a secret */
  stop(): Promise<number | null>
  /** Kills the whole tree with SIGKILL. */
  kill(): Promise<void>
  /** Kills the one process of the tree whose command line has this text, with SIGKILL; settles when it is gone. */
  killPart(command: string): Promise<void>
}

/** Ports that a stack uses, before the offset. */
const PORTS = [3000, 3001, 3002, 3003, 3004, 3005, 3006, 3007, 4010, 4011, 5051, 3389, 8000, 9324]

/** Keeps a stack's ports below those that Linux gives to clients, 32,768 and above: any of them may be one at any time. */
const MAXIMUM_OFFSET = 23_000

/** An offset under which all of a stack's ports are free. */
export async function freeOffset(): Promise<number> {
  for (;;) {
    const offset = 1000 + Math.floor(Math.random() * (MAXIMUM_OFFSET - 1000))
    const ports = PORTS.map((port) => port + offset)
    if (ports.some((port) => REFUSED_PORTS.includes(port))) continue
    const free = await Promise.all(ports.map(isFree))
    if (free.every(Boolean)) return offset
  }
}

/** What `fetch` refuses as bad ports, above those of a run without an offset (WHATWG Fetch, "Port blocking"). */
const REFUSED_PORTS = [4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080]

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', () => resolve(false))
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  return promise
}

/** A folder that does not outlive the tests. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** What one process compiled, the next need not: the tests start hundreds. */
const NODE_COMPILE_CACHE = resolve('node_modules/.cache/gatehouse')

/** What a person's shell would hand over: the test runner sets variables of its own, `BASE_URL` among them. */
export function localEnvironment(environment: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME, NODE_COMPILE_CACHE, ...environment }
}

/** Options of Node for a program whose standard input is a pipe: it ends when the tests are killed. */
export const TIED = ['--import', resolve('test/support/tied.mjs')]

/** A service that is started for tests stops with them, even if they are killed: `npm start` does not outlive npm. */
const FOLLOWS_PARENT = { npm_lifecycle_event: 'test' }

/**
 * Starts the service as `npm start` does and waits until it is ready.
 * @param launcher a command that runs the one behind it, in its own place
 * @param options besides `--json`
 * @param program what starts it, with its first arguments
 */
export async function startStack(
  environment: Readonly<Record<string, string>>,
  launcher: readonly string[] = [],
  options: readonly string[] = [],
  program: string | readonly string[] = 'localstack/start.ts',
): Promise<Stack> {
  const [command = execPath, ...args] = [...launcher, execPath, ...[program].flat(), '--json', ...options]
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: localEnvironment({ ...FOLLOWS_PARENT, ...environment }),
  })
  const lines: string[] = []
  const complaints: string[] = []
  const { promise: ready, resolve, reject } = Promise.withResolvers<Ready>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    resolve(JSON.parse(line))
  })
  createInterface({ input: child.stderr }).on('line', (line) => complaints.push(line))
  child.once('exit', (code) => reject(new Error(`start ended with ${code}:\n${complaints.join('\n')}`)))
  const ended = once(child, 'exit')
  const facts = await ready
  return {
    ready: facts,
    process: child,
    parts: () => partsBelow(child.pid ?? 0),
    output: () => lines,
    complaints: () => complaints,
    async stop() {
      process.kill(-(child.pid ?? 0), 'SIGINT')
      const [code] = await ended
      const leaks = leaksIn(`${logOf(facts)}\n${complaints.join('\n')}`, secretsOf(facts, environment))
      if (leaks.length > 0) throw new Error(`the log of the service holds secrets:\n${leaks.join('\n')}`)
      return code as number | null
    },
    async kill() {
      for (const pid of [child.pid ?? 0, ...below(child.pid ?? 0).map(({ pid }) => pid)]) kill(pid)
      await ended
    },
    async killPart(command) {
      const part = partsBelow(child.pid ?? 0).find((each) => each.command.includes(command))
      if (part === undefined) throw new Error(`no process runs ${command}`)
      while (kill(part.pid)) await setTimeout(5)
    },
  }
}

/** Starts it with all functions in one process, from their sources: nothing has to be built. */
export const DIRECT = 'test/support/direct/start.ts'

interface Part {
  readonly pid: number
  readonly command: string
}

interface Process extends Part {
  readonly parent: number
}

/** All that a process started, and what that started, as the system sees them. */
function below(pid: number): readonly Process[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  const all = stdout.split('\n').map((line): Process => {
    const [, own, parent, command = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []
    return { pid: Number(own), parent: Number(parent), command }
  })
  const childrenOf = (of: number): readonly Process[] =>
    all.filter(({ parent }) => parent === of).flatMap((child) => [child, ...childrenOf(child.pid)])
  return childrenOf(pid)
}

/** Without what holds the parts: shells, which have the part's command in their own, and a `cat` each. */
export function partsBelow(pid: number): readonly Part[] {
  return below(pid).filter(({ command }) => !/^(?:\/bin\/sh |cat$)/.test(command))
}

/** Some of the tree ends by itself as soon as its parent is gone. @returns whether it was still there */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    return false
  }
}
