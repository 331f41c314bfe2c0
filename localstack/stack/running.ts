import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process, { env, kill, pid } from 'node:process'
import { CACHE } from '../../infra/project.ts'
import { USERS_FILE } from '../users.ts'
import { CLOCK_FILE, followClock } from './clock.mjs'
import { portsAt } from './ports.ts'

/** A run, as a command in another terminal finds it. */
interface RunningRun {
  readonly pid: number
  /** With its secrets and its clock, even if it keeps no data. */
  readonly folder: string
  readonly users: string | undefined
}

const fileOf = (httpPort: number) => join(CACHE, `run-${httpPort}.json`)

/** Lets commands find this run while it runs. Where nothing can be written, they need its settings. */
export function announceRun(httpPort: number, folder: string | undefined): void {
  if (folder === undefined) return
  const run: RunningRun = { pid, folder, users: env[USERS_FILE] }
  try {
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(fileOf(httpPort), JSON.stringify(run), { mode: 0o600 })
  } catch {
    return
  }
  process.once('exit', () => rmSync(fileOf(httpPort), { force: true }))
}

/** The run of this project at a port; undefined if there is none. */
export function runningRun(httpPort: number): RunningRun | undefined {
  try {
    const run: RunningRun = JSON.parse(readFileSync(fileOf(httpPort), 'utf8'))
    kill(run.pid, 0)
    return run
  } catch {
    return undefined
  }
}

/** Takes over the users and the clock of the run that the settings of this process mean. */
export async function joinRun(): Promise<void> {
  const run = runningRun(portsAt(Number(env['PORT_OFFSET'] ?? 0)).http)
  if (run === undefined) return
  if (run.users !== undefined) env[USERS_FILE] ??= run.users
  await followClock(join(run.folder, CLOCK_FILE))
}
