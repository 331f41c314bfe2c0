import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, kill } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { freeOffset } from '../../test/support/stack.ts'
import { effort } from './effort.ts'
import { type Findings, judged, median, type Row } from './findings.ts'

const ROUNDS = effort(5, 1)

/** How often to ask whether it answers by now, in milliseconds. */
const PAUSE = 10

/** What takes longer than this many milliseconds never answers. */
const PATIENCE = 120_000

/** Seconds from `npm start` to its ready line and to the first 200. */
export async function start(): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const data = () => mkdtempSync(join(folder, 'data-'))
  const kept = data()
  // Bundles, compiles and fills the data folder, which is not what is measured.
  await figuresOf(kept)
  const rows: Row[] = []
  for (const [what, next] of [
    ['`npm start`, an empty data folder', data],
    ['`npm start`, an existing data folder', () => kept],
  ] as const) {
    const all: Figures[] = []
    for (let round = 0; round < ROUNDS; round++) all.push(await figuresOf(next()))
    const of = (figure: keyof Figures) => median(all.map((each) => each[figure]))
    rows.push(
      { what: `${what}: to the ready line`, unit: 's', value: of('ready') / 1000 },
      { what: `${what}: to the first 200`, unit: 's', value: of('answer') / 1000 },
    )
  }
  rmSync(folder, { recursive: true })
  return judged(rows)
}

/** Milliseconds. */
interface Figures {
  readonly ready: number
  readonly answer: number
}

/** As on a machine where it has run before. @throws Error when it ends before its first 200, or takes too long */
async function figuresOf(folder: string): Promise<Figures> {
  const offset = await freeOffset()
  const { PATH, HOME } = env
  const began = performance.now()
  const since = () => performance.now() - began
  const child = spawn('npm', ['start', '--silent', '--', '--json'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH, HOME, PORT_OFFSET: `${offset}`, DATA_DIR: folder },
  })
  const ended = once(child, 'exit')
  const ready = once(child.stdout, 'data').then(since)
  // Until the first 200 nobody waits.
  ready.catch(() => {})
  try {
    while (!(await answers(`http://127.0.0.1:${3000 + offset}/api/public/hello`))) {
      if (hasEnded(child) || since() > PATIENCE) throw new Error('npm start does not answer')
      await setTimeout(PAUSE)
    }
    const answer = since()
    return { ready: await ready, answer }
  } finally {
    if (!hasEnded(child)) kill(-(child.pid ?? 0), 'SIGINT')
    await ended
  }
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
