import { readFileSync, writeFileSync } from 'node:fs'
import { stderr } from 'node:process'
import { readOptions, runCommand } from '../../localstack/command.ts'
import { cost } from './page.ts'

const FILE = 'docs/cost.md'

const USAGE = `npm run quality -- cost [--check]

Writes ${FILE}. --check only looks whether it is as it would be written; exit 1 if not.
`

await runCommand({ name: 'quality -- cost', usage: USAGE, run })

function run(args: readonly string[]): number {
  const { values } = readOptions({ args: [...args], options: { check: { type: 'boolean', default: false } } })
  const text = cost()
  if (!values.check) writeFileSync(FILE, text)
  else if (readFileSync(FILE, 'utf8') !== text) {
    stderr.write(`${FILE} is stale: npm run quality -- cost\n`)
    return 1
  }
  return 0
}
