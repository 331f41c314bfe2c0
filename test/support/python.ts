import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, stderr } from 'node:process'
import { text } from 'node:stream/consumers'

/** Debian's own comes first: its modules come as packages, which another Python does not see. */
const COMMANDS = [env['PYTHON'], '/usr/bin/python3', 'python3']

/** A Python that has the modules; undefined where none has, which in CI is a failure. */
export function pythonWith(...modules: readonly string[]): string | undefined {
  const imports = modules.map((name) => `import ${name}`).join('\n')
  const command = COMMANDS.find((candidate) => candidate && spawnSync(candidate, ['-c', imports]).status === 0)
  if (command !== undefined) return command
  if (env['CI']) throw new Error(`CI needs a Python with ${modules.join(', ')}`)
  stderr.write(`skipped: these tests need a Python with ${modules.join(', ')}\n`)
  return undefined
}

/**
 * Runs a script of `test/support/python`.
 * @param told what it reads as JSON from standard input
 * @returns what it prints as JSON
 */
export async function runPython(command: string, script: string, told: object): Promise<unknown> {
  const child = spawn(command, [join(import.meta.dirname, 'python', script)], {
    env: { PATH: env['PATH'], PYTHONDONTWRITEBYTECODE: '1', STOMP_SKIP_HOSTNAME_SCAN: '1' },
  })
  child.stdin.end(JSON.stringify(told))
  const [printed, complaint, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${complaint}`)
  return JSON.parse(printed)
}
