import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { version } from 'node:process'
import { readOptions, runCommand, UsageError } from '../../localstack/command.ts'
import { temporaryFolder } from '../../test/support/stack.ts'
import { accepted } from './accepted.ts'
import { barsOf, type Results } from './bars.ts'
import { cold } from './cold.ts'
import { IS_SHORT } from './effort.ts'
import { tableOf } from './findings.ts'
import { job } from './job.ts'
import { send } from './send.ts'
import { start } from './start.ts'
import { warm } from './warm.ts'

const PARTS = { warm, cold, accepted, send, start, job }

const RESULTS = `${import.meta.dirname}/results.json`
const BARS = 'docs/quality.svg'

const USAGE = `npm run quality -- bench [PART…] [--short]

Measures the parts that are named, or all, prints a table of each, writes it to quality/bench/results.json and draws ${BARS}.
--short does everything once, to see that it runs, and writes nothing.

Parts: ${Object.keys(PARTS).join(', ')}
`

await runCommand({ name: 'quality -- bench', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const options = { short: { type: 'boolean' } } as const
  const { positionals } = readOptions({ args: [...args], options, allowPositionals: true })
  const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name))
  if (unknown !== undefined) throw new UsageError(`${unknown} is no part of the benchmarks`)
  const parts = Object.entries(PARTS).filter(([name]) => positionals.length === 0 || positionals.includes(name))
  for (const [name, part] of parts) {
    const { path, remove } = temporaryFolder()
    const figures = await part(path).finally(remove)
    const machine = machineOf(new Date())
    console.log(`# ${name}\n\n${machine}\n\n${tableOf(figures)}\n`)
    if (IS_SHORT || figures.length === 0) continue
    const results: Results = { ...JSON.parse(readFileSync(RESULTS, 'utf8')), [name]: { machine, figures } }
    writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
    writeFileSync(BARS, barsOf(results))
  }
  return 0
}

/** Where and when figures were taken, which mean little elsewhere. */
function machineOf(now: Date): string {
  const cores = cpus()
  return `${now.toISOString().slice(0, 10)}, ${cores.length} cores of ${cores[0]?.model.trim()}, Node ${version}`
}
