import { env } from 'node:process'
import { findChromium } from '../../localstack/doctor/chromium.ts'
import { command } from '../../test/support/command.ts'
import { freeOffset, startStack } from '../../test/support/stack.ts'
import { LOADS, loadPages } from './console/load-pages.ts'
import { effort, IS_SHORT } from './effort.ts'
import { type Findings, judged } from './findings.ts'
import { median } from './median.ts'

const ROUNDS = effort(9, 1)

/** In milliseconds, on two cores. */
const GOAL = 1000

/** How long the pages take to be ready in a real browser; nothing, and a line that says so, where there is none. */
export async function consolePages(): Promise<Findings | undefined> {
  const chromium = findChromium(env)
  if (chromium === undefined) {
    console.log('console: skipped, because there is no Chromium\n')
    return undefined
  }
  const PORT_OFFSET = String(await freeOffset())
  const stack = await startStack({ PORT_OFFSET, DATA_DIR: 'memory' })
  try {
    await command('seed', ['--events', '200'], { PORT_OFFSET })
    // Loads every function once, which is not what is measured.
    if (!IS_SHORT) await loadPages(chromium, stack.ready.http)
    const rounds: (readonly number[])[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await loadPages(chromium, stack.ready.http))
    const rows = LOADS.map(({ what }, index) => {
      const value = median(rounds.map((times) => times[index] ?? Number.NaN))
      return { what, unit: 'ms', value, goal: GOAL }
    })
    return judged(rows)
  } finally {
    await stack.stop()
  }
}
