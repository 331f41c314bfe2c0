import { stdout } from 'node:process'
import { readOptions, runCommand, UsageError } from '../../localstack/command.ts'
import { keep } from '../support/figures.ts'
import { type Checked, check, hasSpin } from './spin.ts'
import { DESIGN, type Model, QUICK, SMALLEST, VARIANTS, type Variant } from './variants.ts'

const USAGE = `npm run quality -- model [--quick] [--keep]
npm run quality -- model --tell VARIANT

Checks the models of the retry protocol (quality/model/retry.pml), of its intake (intake.pml) and of the deliveries
(deliver.pml) in all their states: that nothing wrong ever happens, and that whatever was stored is settled in the end. Then
leaves out one guard after the other and checks that each time something goes wrong. Takes minutes; --quick takes the
smallest bounds and one variant for each model and property. --tell says step by step how a variant goes wrong. --keep keeps the figures in quality/figures/model.json. Needs Debian's packages spin and
gcc, and without them does nothing. Exit 1 when the protocol does not hold, or holds without a guard.

Variants:
${VARIANTS.map(({ name }) => `  ${name}\n`).join('')}`

const TITLES = {
  retry: 'the protocol',
  intake: 'its intake',
  deliver: 'the deliveries',
} as const satisfies Record<Model, string>

await runCommand({ name: 'quality -- model', usage: USAGE, run: start })

function start(args: readonly string[]): Promise<number> | number {
  const { values } = readOptions({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      tell: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  })
  const told = values.tell === undefined ? undefined : variantCalled(values.tell)
  if (!hasSpin()) return 0
  return told ? tell(told) : run(values.quick, values.keep)
}

function variantCalled(name: string): Variant {
  const found = VARIANTS.find((variant) => variant.name === name)
  if (found) return found
  throw new UsageError('--tell must be one of the variants')
}

async function run(isQuick: boolean, isKept: boolean): Promise<number> {
  const began = performance.now()
  const protocol: Checked[] = []
  for (const { model, property, macros } of isQuick ? QUICK : DESIGN) {
    const result = await check({ model, property, macros, isTold: true })
    const bounds = Object.entries(macros).map(([name, most]) => `${name} ${most}`)
    say(`${TITLES[model]}, ${property}, ${bounds.join(', ')}`, result)
    protocol.push(result)
  }
  const variants: Checked[] = []
  for (const variant of isQuick ? quickOnes() : VARIANTS) {
    const result = await checked(variant)
    say(variant.name, result)
    variants.push(result)
  }
  const wrong = protocol.filter(({ holds }) => !holds).length + variants.filter(({ holds }) => holds).length
  const states = protocol.reduce((sum, result) => sum + result.states, 0)
  const minutes = (performance.now() - began) / 60_000
  const tried = `${states.toLocaleString('en')} states of the protocol, ${variants.length} variants that lack a guard`
  stdout.write(`${tried}, ${wrong} not as they should be, ${(minutes * 60).toFixed(0)} s\n`)
  if (isKept) {
    keep('model', {
      claim: 'The protocols of retries and deliveries hold in every state, and need each of their guards',
      command: 'npm run quality -- model',
      tried,
      found: `${wrong} counterexamples for the protocol, one for each variant`,
      minutes,
    })
  }
  return wrong > 0 ? 1 : 0
}

function quickOnes(): readonly Variant[] {
  const isFirst = ({ model, fails }: Variant, index: number) =>
    index === VARIANTS.findIndex((variant) => variant.model === model && variant.fails === fails)
  return VARIANTS.filter(isFirst)
}

function checked({ model, fails, guards }: Variant, isTold = false): Promise<Checked> {
  return check({ model, property: fails, macros: { ...SMALLEST[model], ...guards }, isTold })
}

function say(name: string, { holds, states, seconds, counterexample }: Checked): void {
  const verdict = holds ? 'holds' : `goes wrong: ${counterexample}`
  stdout.write(`${name}: ${verdict} (${states.toLocaleString('en')} states, ${seconds.toFixed(1)} s)\n`)
}

async function tell(variant: Variant): Promise<number> {
  const { holds, counterexample } = await checked(variant, true)
  stdout.write(`${counterexample}\n`)
  return holds ? 1 : 0
}
