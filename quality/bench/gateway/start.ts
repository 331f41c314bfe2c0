import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { effort, IS_SHORT } from '../effort.ts'
import { type Findings, judged } from '../findings.ts'
import { median } from '../median.ts'
import { type Command, startService } from './service.ts'
import { npmStart, serverlessOffline } from './subjects.ts'

const ROUNDS = effort(5, 1)

/** In milliseconds, on two cores. */
const GOAL = 2000

interface Start {
  readonly what: string
  readonly goal?: number
  command(): Promise<Command>
}

interface Times {
  readonly wall: number
  readonly cpu: number
}

/** From the command to the first 200: wall time, and the CPU of every process that it took. */
export async function starts(folder: string): Promise<Findings> {
  const kept = mkdtempSync(join(folder, 'data-'))
  const plain = await serverlessOffline(folder)
  const kinds: readonly Start[] = [
    {
      what: '`npm start`, an empty data folder',
      goal: GOAL,
      command: () => npmStart(mkdtempSync(join(folder, 'data-'))),
    },
    { what: '`npm start`, an existing data folder', goal: GOAL, command: () => npmStart(kept) },
    { what: 'serverless-offline, two functions and no store', command: async () => plain },
  ]
  const times = new Map<Start, Times[]>(kinds.map((kind) => [kind, []]))
  // Bundles, compiles and fills the data folder, which is not what is measured.
  if (!IS_SHORT) for (const kind of kinds) await timed(kind)
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? kinds : kinds.toReversed()
    for (const kind of order) times.get(kind)?.push(await timed(kind))
  }
  rmSync(plain.folder, { recursive: true })
  return judged(
    [...times].flatMap(([{ what, goal }, all]) => [
      { what, unit: 'ms', value: median(all.map(({ wall }) => wall)), ...(goal !== undefined && { goal }) },
      { what: '– CPU of all its processes', unit: 'ms', value: median(all.map(({ cpu }) => cpu)) },
    ]),
  )
}

async function timed({ command }: Start): Promise<Times> {
  const service = await startService(await command())
  await service.stop()
  return { wall: service.startTime, cpu: service.startCpu }
}
