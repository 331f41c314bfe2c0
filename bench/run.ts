import { writeFileSync } from 'node:fs'
import process, { argv } from 'node:process'
import { channels } from './channels.ts'
import { consolePages } from './console.ts'
import { machine } from './machine.ts'
import { isMet, tableOf } from './table.ts'

const PARTS = { channels, console: consolePages }

/** The parts that are named on the command line, or all. Ends with 1 when a goal was missed. */
for (const [name, part] of Object.entries(PARTS)) {
  if (argv.length > 2 && !argv.includes(name, 2)) continue
  const rows = await part()
  if (rows.length === 0) {
    console.log(`${name}: skipped, because there is no Chromium\n`)
    continue
  }
  const page = `# ${name}\n\n${machine(new Date())}\n\n${tableOf(rows)}\n`
  console.log(page)
  writeFileSync(`${import.meta.dirname}/results/${name}.md`, page)
  if (!rows.every(isMet)) process.exitCode = 1
}
