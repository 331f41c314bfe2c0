import process, { argv, stdout } from 'node:process'
import { check } from './check.ts'
import { KINDS } from './texts.ts'

const USAGE = `npm run quality -- language [<kind>] [<file>]

Looks for sentences that are hard to read, in ${Object.keys(KINDS).join(', ')}. Exit 1 when there are more than before, or with a
file when there are any.
`

const chosen = argv.slice(2)
if (chosen.includes('--help')) stdout.write(USAGE)
else for (const name of Object.keys(KINDS)) checkKind(name)

function checkKind(name: string): void {
  const kinds = chosen.filter((word) => Object.hasOwn(KINDS, word))
  const files = chosen.filter((word) => !Object.hasOwn(KINDS, word))
  const kind = KINDS[name]
  if (!kind || (kinds.length > 0 && !kinds.includes(name))) return
  const texts = kind.texts().filter(({ file }) => files.length === 0 || files.includes(file))
  const lines = texts.flatMap(({ file, text }) =>
    check(text(), kind.isTerse).map(({ line, message }) => `${file}:${line} ${message}\n`),
  )
  const allowed = files.length === 0 ? kind.leftOver : 0
  if (lines.length > allowed || kinds.length > 0 || files.length > 0) stdout.write(lines.join(''))
  stdout.write(`${name}: ${lines.length} findings in ${texts.length} texts, ${allowed} allowed\n`)
  if (lines.length > allowed) process.exitCode = 1
}
