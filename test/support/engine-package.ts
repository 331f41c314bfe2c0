import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { inTurn } from './in-turn.ts'

/**
 * Has the engine package a stage into a folder.
 * @param parameters each `name=value`
 * @returns the file of the template
 */
export async function enginePackage(
  stage: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  parameters: readonly string[] = [],
  cwd?: string,
): Promise<string> {
  const given = parameters.flatMap((parameter) => ['--param', parameter])
  await runEngine(['package', '--stage', stage, '--package', folder, ...given], env, cwd)
  return join(folder, 'cloudformation-template-update-stack.json')
}

/**
 * Runs a command of the engine, one at a time: all of them work in `.serverless`, and each clears it in the end.
 * @param cwd the folder of the project, or of a copy
 * @throws Error with what it printed
 */
export async function runEngine(args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): Promise<void> {
  const command = ['node_modules/serverless/bin/serverless.js', ...args]
  await inTurn('engine', () =>
    promisify(execFile)(execPath, command, { cwd, env: { ...env, CI: 'true' } }).catch(({ message, stdout }) => {
      throw new Error(`${message}${stdout}`)
    }),
  )
}
