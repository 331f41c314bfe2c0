import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import process, { argv, execPath } from 'node:process'
import { ENGINE, inProject, isPackaged, packageFolder, STAGE_PACKAGE } from '../../infra/project.ts'
import { readOptions, runCommand, stageOption, TEXT, UsageError } from '../command.ts'
import { StartError } from '../errors.ts'

/** The commands that another program carries out, with what `--help` prints of them. */
const USAGES = {
  test: `npx gatehouse test [options of vitest run]

Runs the tests of the handlers with Vitest.
`,
  package: `npx gatehouse package --stage <stage> [options of serverless package]

Makes what the stage is deployed from, in .serverless, or in .gatehouse/.serverless of a project: archives of the functions and the template. It asks AWS nothing.
`,
  deploy: `npx gatehouse deploy --stage <stage> [options of serverless deploy]

Packages the stage, and deploys it with the credentials of the environment.
`,
  rollback: `npx gatehouse rollback --stage <stage> [options of serverless rollback]

Puts back the package that the last successful deployment replaced, as it is in the bucket of the stage. It refuses while the stage
changes, without such a package, and when a table differs.
`,
  remove: `npx gatehouse remove --stage <stage> [options of serverless remove]

Removes the stage. What its file says is kept, stays.
`,
} as const

type Tool = keyof typeof USAGES

/** Runs Vitest in the project. @throws StartError where it is not installed */
function tested(args: readonly string[]): Promise<number> {
  const own = isPackaged ? [] : ['--project', 'handlers']
  return ran([join(vitest(), 'vitest.mjs'), 'run', ...own, ...args], inProject('.'))
}

function vitest(): string {
  try {
    return packageFolder('vitest', resolve(inProject('package.json')))
  } catch (cause) {
    throw new StartError('Vitest is not installed: npm install -D vitest', { cause })
  }
}

/** Runs the deployment engine where its description is. @throws UsageError without a stage */
function deployed(tool: Exclude<Tool, 'test'>, args: readonly string[]): Promise<number> {
  const options = { stage: { ...TEXT, short: 's' } } as const
  const { stage } = readOptions({ args: [...args], options, strict: false }).values
  stageOption(typeof stage === 'string' ? stage : '')
  const place = tool === 'package' ? ['--package', STAGE_PACKAGE] : []
  return ran([join(packageFolder('serverless'), 'bin/serverless.js'), tool, ...args, ...place], ENGINE)
}

/** @returns the exit code */
async function ran(program: readonly string[], cwd: string): Promise<number> {
  const child = spawn(execPath, program, { cwd, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  return code ?? 1
}

function isTool(name: string): name is Tool {
  return Object.hasOwn(USAGES, name)
}

const [tool = ''] = argv.splice(2, 1)
if (!isTool(tool)) throw new UsageError(`There is no command ${tool}`)
await runCommand({
  name: tool,
  usage: USAGES[tool],
  run: (args) => (tool === 'test' ? tested(args) : deployed(tool, args)),
})
