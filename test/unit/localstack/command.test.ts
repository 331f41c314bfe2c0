import { execFile } from 'node:child_process'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

/** A command that prints a megabyte and more, and ends with 3. */
const LONG = `
import { stdout } from 'node:process'
import { runCommand } from './localstack/command.ts'
await runCommand({ name: 'long', usage: '', run() {
  for (let line = 0; line < 20_000; line++) stdout.write('x'.repeat(63) + '\\n')
  return 3
} })`

/** How a pipeline behind the command ends. */
async function piped(into: string): Promise<readonly [stdout: string, stderr: string]> {
  const script = `set -o pipefail; "$0" --input-type=module -e "$1" | ${into}; echo "$?"`
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script, execPath, LONG])
  return [stdout, stderr]
}

describe('a command whose output is piped', () => {
  it('ends when everything was read', async () => {
    expect(await piped('wc -l')).toEqual(['20000\n3\n', ''])
  })

  it('ends without a message when its reader ends, like others: with 141', async () => {
    expect(await piped('head -n 1')).toEqual([`${'x'.repeat(63)}\n141\n`, ''])
  })
})
