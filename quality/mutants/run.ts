import { stdout } from 'node:process'
import { readOptions, runCommand, UsageError } from '../../localstack/command.ts'
import { keep } from '../support/figures.ts'
import { type Outcome, outcomeOf, scoreOf, together } from './outcome.ts'
import { isPart, PARTS, type PartName } from './parts.ts'
import { mutate } from './stryker.ts'

const NAMES = Object.keys(PARTS).filter(isPart)

/** In percent. */
const LEAST_SCORE = 90

const USAGE = `npm run quality -- mutants [--part NAME] [--incremental] [--keep]
npm run quality -- mutants --short

Puts bugs into the code, one by one, and runs the unit tests that reach each: who finds none of them tests nothing. The
parts are ${NAMES.join(', ')}; all of them, unless one is named. --incremental takes over what the run before found,
where neither the code nor its tests have changed. --short changes one line, to see that Stryker runs. --keep keeps the figures in quality/figures/mutants.json. Prints what
survived and is not explained in quality/mutants/survivors.ts. Exit 1 when less than ${LEAST_SCORE} % were found in one of the parts.
`

await runCommand({ name: 'quality -- mutants', usage: USAGE, run })

function run(args: readonly string[]): number {
  const { values } = readOptions({
    args: [...args],
    options: {
      part: { type: 'string' },
      incremental: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
    },
  })
  if (values.short) return runShort()
  const names = values.part === undefined ? NAMES : [partCalled(values.part)]
  if (values.keep && names.length < NAMES.length) throw new UsageError('--keep keeps figures of all parts only')
  const began = performance.now()
  const outcomes = names.map((name) => {
    const outcome = outcomeOf(mutate(name, values.incremental))
    tell(name, outcome)
    return outcome
  })
  const minutes = (performance.now() - began) / 60_000
  const all = together(outcomes)
  stdout.write(`${describe(all)}, ${minutes.toFixed(0)} min\n`)
  if (values.keep) keepFigures(all, minutes)
  return outcomes.every((outcome) => scoreOf(outcome) >= LEAST_SCORE) ? 0 : 1
}

/** One line, which its own tests find changed. */
function runShort(): number {
  const outcome = outcomeOf(mutate('short', false))
  stdout.write(`short: ${describe(outcome)}\n`)
  return outcome.killed > 0 && outcome.survived.length === 0 ? 0 : 1
}

function partCalled(name: string): PartName {
  if (isPart(name)) return name
  throw new UsageError(`--part must be one of ${NAMES.join(', ')}`)
}

function tell(name: PartName, outcome: Outcome): void {
  for (const { file, line, change, reason } of outcome.survived) {
    if (reason === undefined) stdout.write(`${file}:${line}: ${change}\n`)
  }
  stdout.write(`${name}: ${describe(outcome)}\n`)
}

function describe(outcome: Outcome): string {
  const { killed, timedOut, survived } = outcome
  const explained = survived.filter(({ reason }) => reason !== undefined).length
  return [
    `${killed + timedOut + survived.length} mutants`,
    `${killed} killed`,
    `${timedOut} timed out`,
    `${survived.length} survived (${explained} explained)`,
    `${scoreOf(outcome).toFixed(1)} %`,
  ].join(', ')
}

function keepFigures(outcome: Outcome, minutes: number): void {
  const { killed, timedOut, survived } = outcome
  const explained = survived.filter(({ reason }) => reason !== undefined).length
  const mutants = killed + timedOut + survived.length
  keep('mutants', {
    claim: 'A bug in access, authentication, webhooks or STOMP does not pass the tests',
    command: 'npm run quality -- mutants',
    tried: `${mutants.toLocaleString('en')} bugs, put in one by one`,
    found: `${scoreOf(outcome).toFixed(1)} % by the unit tests; of the ${survived.length} others ${explained} change nothing that can be seen`,
    minutes,
  })
}
