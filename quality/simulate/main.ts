import { stdout } from 'node:process'
import { readOptions, runCommand, UsageError, wholeOption } from '../../localstack/command.ts'
import { FAULTS } from '../../test/simulation/faults.ts'
import { isKind, KINDS, type KindName, SHARES } from '../../test/simulation/kinds.ts'
import { addTo, describeFailure, isChatty, messagesPerRun, type Simulated } from '../../test/simulation/simulate.ts'
import { onEveryCore } from '../support/cores.ts'
import type { Batch } from './share.ts'

const USAGE = `npm run quality -- simulate --worlds N [--seed S] [--weather NAME]
npm run quality -- simulate --replay COURSE

Lives through N worlds on all cores: intake, workers, scans, deliveries and the feed of changes as they are, in virtual
time, with calls that die, are refused or answered late or twice, messages lost, doubled and late, clocks that differ.
The worlds are those of N seeds from S on (1), divided among the kinds ${Object.keys(KINDS).join(', ')},
unless --weather names one. What goes wrong is made as small as it still goes wrong and printed as a course, which
--replay tells step by step. Exit 1 when something went wrong.
`

await runCommand({ name: 'quality -- simulate', usage: USAGE, run: start })

function start(args: readonly string[]): Promise<number> {
  const { values } = readOptions({
    args: [...args],
    options: {
      worlds: { type: 'string' },
      seed: { type: 'string', default: '1' },
      weather: { type: 'string' },
      replay: { type: 'string' },
    },
  })
  if (values.replay !== undefined) return replay(values.replay)
  if (values.worlds === undefined) throw new UsageError('Say how many --worlds, or which one to --replay')
  const worlds = wholeOption('--worlds', values.worlds, [1, 100_000_000])
  const first = wholeOption('--seed', values.seed, [0, 2 ** 31])
  return run(batchesOf(worlds, first, values.weather))
}

function batchesOf(worlds: number, first: number, weather: string | undefined): readonly Batch[] {
  if (weather !== undefined) return [{ kind: kindCalled(weather), seeds: { first, count: worlds } }]
  const parts = Object.entries(SHARES) as readonly [KindName, number][]
  return parts.map(([kind, share]) => ({ kind, seeds: { first, count: Math.ceil((worlds * share) / 100) } }))
}

function kindCalled(name: string): KindName {
  if (isKind(name)) return name
  throw new UsageError(`--weather must be one of ${Object.keys(KINDS).join(', ')}`)
}

interface Part extends Simulated {
  readonly kind: KindName
}

async function run(batches: readonly Batch[]): Promise<number> {
  const began = performance.now()
  const parts = (await onEveryCore<readonly Part[]>(new URL('share.ts', import.meta.url), { batches })).flat()
  const seconds = (performance.now() - began) / 1000
  const totals = new Map<string, number>()
  let wrong = 0
  for (const { kind, seeds } of batches) {
    const together = joined(parts.filter((part) => part.kind === kind))
    addTo(totals, together.totals)
    wrong += await tell(kind, seeds.first, together)
  }
  const worlds = parts.reduce((sum, part) => sum + part.worlds, 0)
  stdout.write(`${summaryOf(worlds, totals)}, ${wrong} violations, ${seconds.toFixed(0)} s\n`)
  return wrong > 0 ? 1 : 0
}

function joined(parts: readonly Simulated[]): Simulated {
  const totals = new Map<string, number>()
  for (const part of parts) addTo(totals, part.totals)
  const failures = parts.flatMap((part) => part.failures).sort((one, other) => one.seed - other.seed)
  return { worlds: parts.reduce((sum, part) => sum + part.worlds, 0), failures, totals }
}

/** Prints how the worlds of a kind went, at most three that went wrong. @returns how many did */
async function tell(kind: KindName, first: number, simulated: Simulated): Promise<number> {
  const { worlds, failures, totals } = simulated
  stdout.write(`${kind}: seeds ${first} to ${first + worlds - 1}, ${failures.length} violations\n`)
  for (const failure of failures.slice(0, 3)) stdout.write(`${await describeFailure(failure)}\n`)
  if (isChatty(simulated)) stdout.write(`${kind}: ${messagesPerRun(totals).toFixed(2)} messages for each run\n`)
  return failures.length + Number(isChatty(simulated))
}

function summaryOf(worlds: number, totals: ReadonlyMap<string, number>): string {
  const number = (what: string) => (totals.get(what) ?? 0).toLocaleString('en')
  const crashes = ['dies before', 'dies after', 'killed by a handler'].map((what) => totals.get(what) ?? 0)
  const faults = FAULTS.map((fault) => `${fault} ${number(fault)}`).join(', ')
  return [
    `${worlds.toLocaleString('en')} worlds`,
    `${number('calls')} calls (${faults})`,
    `${number('deliveries')} webhooks (${number('duplicates')} dropped as duplicates, ${number('look-alikes')} look-alikes, ` +
      `${number('late events')} late, ${number('large batches')} large batches)`,
    `${crashes.reduce((sum, count) => sum + count, 0).toLocaleString('en')} crashes`,
    `${number('messages')} messages (${number('messages lost')} lost, ${number('messages doubled')} doubled)`,
    `${number('changes watched')} changes watched`,
    `${number('tries of deliveries')} tries of deliveries (${number('circuit OPEN')} circuits opened)`,
  ].join(', ')
}

async function replay(text: string): Promise<number> {
  const course = courseIn(text)
  const trace = (line: string) => stdout.write(`${line}\n`)
  const { violations } = await KINDS[course.weather].again(course).live({ trace })
  stdout.write(`${violations.length === 0 ? 'nothing went wrong' : violations.join('\n')}\n`)
  return violations.length > 0 ? 1 : 0
}

function courseIn(text: string): { readonly weather: KindName } {
  try {
    const course = JSON.parse(text)
    if (isKind(course.weather)) return course
  } catch {
    // The same answer as for JSON that is no course.
  }
  throw new UsageError('--replay must be a course, as a run prints it')
}
