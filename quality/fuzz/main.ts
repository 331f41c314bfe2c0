import { Buffer } from 'node:buffer'
import { stdout } from 'node:process'
import { readOptions, runCommand, UsageError, wholeOption } from '../../localstack/command.ts'
import type { Target } from '../../test/inputs/target.ts'
import { TARGETS, targetCalled } from '../../test/inputs/targets.ts'
import { type Amount, ENDLESS, fuzz } from './fuzz.ts'
import { problemOf } from './hunt.ts'

const USAGE = `npm run quality -- fuzz --inputs N | --minutes N [--target NAME] [--seed S] [--keep]
npm run quality -- fuzz --target NAME --again INPUT

Tries N inputs, or inputs for N minutes, on all cores at every parser of what strangers send, or at one: made from known
good ones and from those that reached code that none had reached before. Looks for throws that no caller expects, answers
that cannot be right (a changed signature that is accepted, a way to another host), inputs that take longer than 50 ms and
memory that grows. What is found is printed as an INPUT for --again. --keep keeps
what reached new code in test/inputs/corpus. Exit 1 when something was found.

Targets: ${TARGETS.map(({ name }) => name).join(', ')}
`

await runCommand({ name: 'quality -- fuzz', usage: USAGE, run: start })

function start(args: readonly string[]): Promise<number> {
  const { values } = readOptions({
    args: [...args],
    options: {
      inputs: { type: 'string' },
      minutes: { type: 'string' },
      target: { type: 'string' },
      seed: { type: 'string', default: '1' },
      again: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  })
  const targets = values.target === undefined ? TARGETS : [called(values.target)]
  if (values.again !== undefined) return again(targets, values.again)
  const seed = wholeOption('--seed', values.seed, [0, 2 ** 31])
  return fuzz({ targets, seed, amount: amountOf(values), isKept: values.keep })
}

function called(name: string): Target {
  if (TARGETS.some((target) => target.name === name)) return targetCalled(name)
  throw new UsageError('--target must be one of the targets')
}

async function again(targets: readonly Target[], text: string): Promise<number> {
  const [target, ...others] = targets
  if (!target || others.length > 0) throw new UsageError('--again needs a --target')
  const problem = await problemOf(target, inputIn(text))
  stdout.write(`${problem ?? 'nothing goes wrong'}\n`)
  return problem === undefined ? 0 : 1
}

function inputIn(text: string): Buffer {
  try {
    const input: unknown = JSON.parse(text)
    if (typeof input === 'string') return Buffer.from(input, 'latin1')
  } catch {
    // The same answer as for JSON that is no text.
  }
  throw new UsageError('--again must be an input as it was printed, quotes included')
}

function amountOf({ inputs, minutes }: { readonly inputs?: string; readonly minutes?: string }): Amount {
  if ((inputs === undefined) === (minutes === undefined)) throw new UsageError('Say how many --inputs, or --minutes')
  if (inputs !== undefined) {
    const number = wholeOption('--inputs', inputs, [1, ENDLESS])
    return { inputs: number, minutes: ENDLESS }
  }
  const number = wholeOption('--minutes', minutes ?? '', [1, 100_000])
  return { inputs: ENDLESS, minutes: number }
}
