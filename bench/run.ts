import { writeFileSync } from 'node:fs'
import process, { argv } from 'node:process'
import { accepted } from './accepted.ts'
import { basic } from './basic.ts'
import { channels } from './channels.ts'
import { cold } from './cold.ts'
import { consolePages } from './console.ts'
import { forged } from './forged.ts'
import { functions } from './functions.ts'
import { gateway } from './gateway.ts'
import { growth } from './growth.ts'
import { machine } from './machine.ts'
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
  'stomp-parser': stompParser,
  gateway,
  growth,
  console: consolePages,
  functions,
}

/** The parts that are named on the command line, or all. Ends with 1 when a goal was missed. */
for (const [name, part] of Object.entries(PARTS)) {
  if (argv.length > 2 && !argv.includes(name, 2)) continue
  const findings = await part()
  if (findings === undefined) continue
  const { table, goals, ratios } = findings
  const where = machine(new Date())
  const page = `# ${name}\n\n${where}\n\n${table}\n`
  console.log(page)
  writeFileSync(`${import.meta.dirname}/results/${name}.md`, page)
  writeFileSync(
    `${import.meta.dirname}/results/${name}.json`,
    `${JSON.stringify({ machine: where, goals, ratios }, null, 2)}\n`,
  )
  if (!goals.every(({ isMet }) => isMet)) process.exitCode = 1
}
