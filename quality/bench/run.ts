import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { version } from 'node:process'
import { readOptions, runCommand, UsageError } from '../../localstack/command.ts'
import { accepted } from './accepted.ts'
import { basic } from './basic.ts'
import { send } from './channels/send.ts'
import { channels } from './channels.ts'
import { cold } from './cold.ts'
import { consolePages } from './console.ts'
import { IS_SHORT } from './effort.ts'
import type { Findings } from './findings.ts'
import { forged } from './forged.ts'
import { functions } from './functions.ts'
import { gateway } from './gateway.ts'
import { growth } from './growth.ts'
import { hostile } from './hostile.ts'
import { signatures } from './signatures.ts'
import { stompParser } from './stomp-parser.ts'
import { warm } from './warm.ts'

const PARTS = {
  warm,
  cold,
  signatures,
  accepted,
  forged,
  basic,
  channels,
  send,
  'stomp-parser': stompParser,
  gateway,
  growth,
  hostile,
  console: consolePages,
  functions,
}

const USAGE = `npm run quality -- bench [PART…] [--short]

Measures the parts that are named, or all, prints a table of each and writes it to quality/bench/results. Exit 1 when a
goal was missed. --short does everything once, to see that it runs: it judges nothing and writes nothing.

Parts: ${Object.keys(PARTS).join(', ')}
`

await runCommand({ name: 'quality -- bench', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const options = { short: { type: 'boolean' } } as const
  const { positionals } = readOptions({ args: [...args], options, allowPositionals: true })
  const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name))
  if (unknown !== undefined) throw new UsageError(`${unknown} is no part of the benchmarks`)
  let isMet = true
  for (const [name, part] of Object.entries(PARTS).filter(([each]) => isNamed(each, positionals))) {
    const findings = await part()
    if (findings === undefined) continue
    tell(name, findings)
    isMet &&= findings.goals.every((goal) => goal.isMet)
  }
  return isMet || IS_SHORT ? 0 : 1
}

function isNamed(name: string, named: readonly string[]): boolean {
  return named.length === 0 || named.includes(name)
}

function tell(name: string, { table, goals, ahead }: Findings): void {
  const where = machine(new Date())
  const page = `# ${name}\n\n${where}\n\n${table}\n`
  console.log(page)
  if (IS_SHORT) return
  const file = `${import.meta.dirname}/results/${name}`
  writeFileSync(`${file}.md`, page)
  writeFileSync(`${file}.json`, `${JSON.stringify({ machine: where, goals, ahead }, null, 2)}\n`)
}

/** Where and when figures were taken, which mean little elsewhere. */
function machine(now: Date): string {
  const cores = cpus()
  return `${now.toISOString().slice(0, 10)}, ${cores.length} cores of ${cores[0]?.model.trim()}, Node ${version}`
}
