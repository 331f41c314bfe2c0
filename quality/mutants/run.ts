import { spawnSync } from 'node:child_process'
import { execPath } from 'node:process'
import { readOptions, runCommand } from '../../localstack/command.ts'

const USAGE = `npm run quality -- mutants [FILE…] [--incremental]

Puts bugs into the code, one by one, and runs the unit tests that reach each: who finds none of them tests nothing.
Changes the files that are named, or those in quality/mutants/stryker.config.json. Prints the bugs that no test found.
--incremental takes over what the run before found, where neither the code nor its tests have changed. Exit 1 when the
tests found less than Stryker's threshold. The files of a branch:

  npm run quality -- mutants $(git diff --name-only --diff-filter=d main -- lib)
`

const STRYKER = 'quality/node_modules/@stryker-mutator/core/bin/stryker.js'

await runCommand({ name: 'quality -- mutants', usage: USAGE, run })

function run(args: readonly string[]): number {
  const options = { incremental: { type: 'boolean', default: false } } as const
  const { positionals, values } = readOptions({ args: [...args], options, allowPositionals: true })
  const chosen = [
    ...(positionals.length > 0 ? ['--mutate', positionals.join(',')] : []),
    ...(values.incremental ? ['--incremental'] : []),
  ]
  const command = [STRYKER, 'run', 'quality/mutants/stryker.config.json', ...chosen]
  return spawnSync(execPath, command, { stdio: 'inherit' }).status ?? 1
}
