import { execFile } from 'node:child_process'
import { execPath } from 'node:process'
import { localEnvironment } from './stack.ts'

/** How a command ended. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `npm run <name> -- <args>` without npm; off a terminal, as the tests are. */
export function command(
  name: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const file = name === 'doctor' ? 'doctor.mjs' : `${name}.ts`
  const options = { encoding: 'utf8', env: localEnvironment(environment) } as const
  return new Promise((resolve) => {
    execFile(execPath, [`localstack/${file}`, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
