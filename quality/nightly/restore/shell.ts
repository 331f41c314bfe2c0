import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stderr, env as surroundings } from 'node:process'
import { text } from 'node:stream/consumers'
import { temporaryFolder } from '../../../test/support/stack.ts'

/** AWS's command line, version 2, which is the one that the page names. */
const AWS = ['aws', '/usr/bin/aws'].find((path) => /^aws-cli\/2/.test(String(spawnSync(path, ['--version']).stdout)))

/** @throws Error in CI, where the tools have to be there */
export function hasAwsTools(): boolean {
  const isThere = AWS !== undefined && spawnSync('jq', ['--version']).status === 0
  if (isThere) return true
  if (surroundings['CI']) throw new Error('CI needs aws, version 2, and jq: apt-get install awscli jq')
  stderr.write('skipped: pages with commands of AWS need aws, version 2, and jq (apt-get install awscli jq)\n')
  return false
}

/** For a shell: `aws` asks the stand-in at AWS_ENDPOINT_URL. */
export const AWS_FUNCTION = `
aws() {
  case "$*" in
    # Debian's command line is older than these options of UpdateTable.
    *--no-deletion-protection-enabled) protect "$4" false;;
    *--deletion-protection-enabled) protect "$4" true;;
    *) command ${AWS} --endpoint-url "$AWS_ENDPOINT_URL" "$@";;
  esac
}
protect() {
  command curl -sf "$AWS_ENDPOINT_URL" -H 'X-Amz-Target: DynamoDB_20120810.UpdateTable' \\
    -d "{\\"TableName\\":\\"$1\\",\\"DeletionProtectionEnabled\\":$2}"
}
`

export type Shell = ReturnType<typeof startShell>

/** What a script leaves behind for the next: its functions, and its variables in capitals. */
const KEEP = `{ declare -f; declare -p | grep -E '^declare -(-|x) [A-Z][A-Z_]*=' | grep -vE ' (BASH|SHLVL)'; } > "$KEPT"`

/**
 * Runs scripts one after the other as in one shell: what one defines, the next ones have.
 * @param beginning defines what the scripts use
 */
export function startShell(cwd: string, env: NodeJS.ProcessEnv, beginning: string) {
  const folder = temporaryFolder()
  const kept = join(folder.path, 'kept')
  writeFileSync(kept, beginning)
  return {
    /** Ends at the first command that fails. @returns standard output @throws Error with the exit code and what was printed */
    async run(script: string): Promise<string> {
      const whole = `source "$KEPT"\nset -euo pipefail\n${script}\n${KEEP}`
      const child = spawn('bash', ['--norc', '-c', whole], { cwd, env: { ...env, KEPT: kept } })
      child.stdin.end()
      const ended = once(child, 'close')
      const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
      const [code] = await ended
      if (code !== 0) throw new Error(`exit code ${code}:\n${output}\n${complaints}`)
      return output
    },
    stop: folder.remove,
  }
}
