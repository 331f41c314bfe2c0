import { spawnSync } from 'node:child_process'
import { argv, execPath, exit, stdout } from 'node:process'
import { PARTS, type Part, type PartName } from './parts.ts'

const [name = '', ...rest] = argv.slice(2)

if (!isPart(name)) {
  const lines = Object.entries(PARTS).map(([part, { about }]) => `  ${part.padEnd(12)}${about}`)
  stdout.write(`npm run quality -- <part> [arguments]\n\n${lines.join('\n')}\n`)
  exit(2)
}
const { needsPackages = false, run }: Part = PARTS[name]
if (needsPackages) install()
argv.splice(2, argv.length, ...(rest[0] === '--' ? rest.slice(1) : rest))
await run()

function isPart(text: string): text is PartName {
  return Object.hasOwn(PARTS, text)
}

/** Installs what only this package needs: Stryker, the peers of the benchmarks, the providers' packages. */
function install(): void {
  const { status } = spawnSync(execPath, ['localstack/ensure-installed.mjs', 'quality'], { stdio: ['ignore', 2, 2] })
  if (status !== 0) exit(status ?? 1)
}
