import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryFolder } from '../../../test/support/stack.ts'

/** Runs scripts one after the other as in one shell: what one defines, the next ones have. */
export interface Shell {
  /**
   * Ends at the first command that fails.
   * @param input on standard input
   * @returns standard output
   * @throws Error with the exit code and what was printed
   */
  run(script: string, input?: string): Promise<string>
  stop(): void
}

/** What a script leaves behind for the next: its functions, and its variables in capitals. */
const KEEP = `{ declare -f; declare -p | grep -E '^declare -(-|x) [A-Z][A-Z_]*=' | grep -vE ' (BASH|SHLVL)'; } > "$KEPT"`

/** @param beginning defines what the scripts use */
export function startShell(cwd: string, env: NodeJS.ProcessEnv, beginning: string): Shell {
  const folder = temporaryFolder()
  const kept = join(folder.path, 'kept')
  writeFileSync(kept, beginning)
  return {
    async run(script, input = '') {
      const whole = `source "$KEPT"\nset -euo pipefail\n${script}\n${KEEP}`
      const child = spawn('bash', ['--norc', '-c', whole], { cwd, env: { ...env, KEPT: kept } })
      child.stdin.end(input)
      const ended = once(child, 'close')
      const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
      const [code] = await ended
      if (code !== 0) throw new Error(`exit code ${code}:\n${output}\n${complaints}`)
      return output
    },
    stop: folder.remove,
  }
}
