import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { effort } from './effort.ts'
import { type Findings, judged, median, type Row } from './findings.ts'
import { startService } from './gateway/service.ts'
import { npmStart } from './gateway/subjects.ts'

const ROUNDS = effort(5, 1)

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

interface Figures {
  readonly ready: number
  readonly answer: number
}

async function figuresOf(folder: string): Promise<Figures> {
  const service = await startService(await npmStart(folder))
  const figures = { ready: service.readyTime, answer: service.startTime }
  await service.stop()
  return figures
}
