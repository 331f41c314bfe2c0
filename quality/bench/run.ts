import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { version } from 'node:process'
import { readOptions, runCommand, UsageError } from '../../localstack/command.ts'
import { accepted } from './accepted.ts'
import { cold } from './cold.ts'
import { IS_SHORT } from './effort.ts'
import { judged, type Row } from './findings.ts'
import { job } from './job.ts'
import { send } from './send.ts'
import { start } from './start.ts'
import { warm } from './warm.ts'

const PARTS = { warm, cold, accepted, send, start, job }

const RESULTS = `${import.meta.dirname}/results.json`
const TABLES = `${import.meta.dirname}/results.md`

const USAGE = `npm run quality -- bench [PART…] [--short]

Measures the parts that are named, or all, prints a table of each and writes it to quality/bench/results.json and .md.
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
    const findings = await part()
    if (findings === undefined) continue
    const machine = machineOf(new Date())
    console.log(`# ${name}\n\n${machine}\n\n${findings.table}\n`)
    if (IS_SHORT) continue
    const results = JSON.parse(readFileSync(RESULTS, 'utf8'))
    const figures = findings.rows.map(({ what, unit, value, times, net }) => ({ what, unit, value, times, net }))
    const all: Results = { ...results, [name]: { machine, figures } }
    writeFileSync(RESULTS, `${JSON.stringify(all, null, 2)}\n`)
    writeFileSync(TABLES, tablesOf(all))
  }
  return 0
}

type Results = Readonly<Record<string, { readonly machine: string; readonly figures: readonly Row[] }>>

/** All results as a page. */
function tablesOf(results: Results): string {
  const parts = Object.entries(results).map(
    ([name, { machine, figures }]) => `## ${name}\n\n${machine}\n\n${judged(figures).table}\n`,
  )
  return `# Results of the benchmarks\n\n${parts.join('\n')}`
}

/** Where and when figures were taken, which mean little elsewhere. */
function machineOf(now: Date): string {
  const cores = cpus()
  return `${now.toISOString().slice(0, 10)}, ${cores.length} cores of ${cores[0]?.model.trim()}, Node ${version}`
}
