import { argv } from 'node:process'
import { runTests } from './support/run-tests.ts'

export interface Part {
  /** What it asks, in one line. */
  readonly about: string
  /** Whether it needs the packages of `quality/package.json`. */
  readonly needsPackages?: boolean
  /** Reads its arguments from the command line, as if it had been started itself. */
  readonly run: () => unknown
}

/** The parts of `npm run quality`, by name. */
export const PARTS = {
  bench: {
    about: 'what does it cost, beside what others would write?',
    needsPackages: true,
    run: () => import('./bench/run.ts'),
  },
  fuzz: { about: 'does any input break a parser, or pass unsigned?', run: () => import('./fuzz/main.ts') },
  mutants: {
    about: 'do the unit tests notice a changed line?',
    needsPackages: true,
    run: () => import('./mutants/run.ts'),
  },
  simulate: { about: 'does it hold in many worlds full of faults?', run: () => import('./simulate/main.ts') },
  chaos: {
    about: 'is anything lost when processes are killed? KILLS=N for more than one of each',
    run: () => runFile('chaos/kill.test.ts'),
  },
  load: {
    about: 'is overload rejected, and over when it is over?',
    needsPackages: true,
    run: () => import('./load/load.ts'),
  },
  strangers: {
    about: 'does the container live in a crowd without a token?',
    run: () => runFile('load/strangers.test.ts'),
  },
  sdks: {
    about: 'does it judge signatures as the official packages of the providers do?',
    needsPackages: true,
    run: () => import('./sdks/run.ts'),
  },
  'report-card': {
    about: 'what do client libraries do at each fault of the lab?',
    needsPackages: true,
    run: () => import('./report-card/run.ts'),
  },
  nightly: {
    about: 'tests of the service that take too long for each landing',
    needsPackages: true,
    run: () => runTests('nightly', 'served', 'browser', 'in-full'),
  },
  walk: {
    about: 'how many functions and files does one call enter?',
    run: () => import(new URL('walk.mjs', import.meta.url).href),
  },
  cost: { about: 'what does a month on AWS cost?', run: () => import('./cost/bill.ts') },
  tests: {
    about: 'do these tools work? Types, lint, tests and short runs',
    needsPackages: true,
    run: () => import('./tests.ts'),
  },
} as const satisfies Record<string, Part>

export type PartName = keyof typeof PARTS

/** One of those that want the machine to themselves. */
function runFile(file: string): void {
  argv.push(`quality/${file}`, '--silent=false')
  runTests('alone')
}
