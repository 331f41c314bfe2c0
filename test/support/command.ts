import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { localEnvironment } from './stack.ts'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}

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
  const words = scripts[name]?.split(' ') ?? []
  const script = words.slice(words.findLastIndex((word) => /\.m?[jt]s$/.test(word)))
  const options = { encoding: 'utf8', env: localEnvironment(environment), maxBuffer: 2 ** 26 } as const
  return new Promise((resolve) => {
    execFile(execPath, [...script, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
