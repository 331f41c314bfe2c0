import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { effort, IS_SHORT } from '../effort.ts'
import { type Findings, judged, type Row } from '../findings.ts'
import { median } from '../median.ts'
import { type Command, startService } from './service.ts'
import { npmStart, serverlessOffline } from './subjects.ts'

const ROUNDS = effort(5, 1)

/** On two cores, in milliseconds and MB. */
const GOALS = { ready: 1000, memory: 400 }

const WHY = {
  ready:
    'serverless-offline with two functions and no store takes as long by itself, on the same machine and day: ' +
    'a start waits for little else.',
  memory: 'Each process of Node holds a V8 of its own, and the code that it has compiled.',
}

interface Start {
  readonly what: string
  readonly isOurs: boolean
  command(): Promise<Command>
}

interface Figures {
  readonly ready: number | undefined
  readonly wall: number
  readonly cpu: number
  readonly memory: number
}

/** From the command to the line that it is ready and to the first 200, and what all its processes take until then. */
export async function starts(folder: string): Promise<Findings> {
  const kept = mkdtempSync(join(folder, 'data-'))
  const plain = await serverlessOffline(folder)
  const kinds: readonly Start[] = [
    {
      what: '`npm start`, an empty data folder',
      isOurs: true,
      command: () => npmStart(mkdtempSync(join(folder, 'data-'))),
    },
    { what: '`npm start`, an existing data folder', isOurs: true, command: () => npmStart(kept) },
    { what: 'serverless-offline, two functions and no store', isOurs: false, command: async () => plain },
  ]
  const figures = new Map<Start, Figures[]>(kinds.map((kind) => [kind, []]))
  // Bundles, compiles and fills the data folder, which is not what is measured.
  if (!IS_SHORT) for (const kind of kinds) await figuresOf(kind)
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? kinds : kinds.toReversed()
    for (const kind of order) figures.get(kind)?.push(await figuresOf(kind))
  }
  rmSync(plain.folder, { recursive: true })
  return judged([...figures].flatMap(([kind, all]) => rowsOf(kind, all)))
}

function rowsOf({ what, isOurs }: Start, all: readonly Figures[]): readonly Row[] {
  const of = (figure: keyof Figures) => median(all.map((each) => each[figure] ?? Number.NaN))
  const ready = {
    what: `${what}: to the ready line`,
    unit: 'ms',
    value: of('ready'),
    goal: GOALS.ready,
    why: WHY.ready,
  }
  const memory = { what: `${what}: memory of all its processes (PSS)`, unit: 'MB', value: of('memory') / 1e6 }
  return [
    ...(isOurs ? [ready] : []),
    { what: `${what}: to the first 200`, unit: 'ms', value: of('wall') },
    { what: `${what}: CPU of all its processes until then`, unit: 'ms', value: of('cpu') },
    isOurs ? { ...memory, goal: GOALS.memory, why: WHY.memory } : memory,
  ]
}

async function figuresOf({ command }: Start): Promise<Figures> {
  const service = await startService(await command())
  const memory = service.memory()
  await service.stop()
  return { ready: service.readyTime, wall: service.startTime, cpu: service.startCpu, memory }
}
