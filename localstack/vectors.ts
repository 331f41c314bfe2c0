import { stdout } from 'node:process'
import { readOptions, runCommand, UsageError } from './command.ts'
import { readVectors } from './signatures/file.ts'
import { isVectorMet, judge, type Vector } from './signatures/vector.ts'

const USAGE = `npm run vectors -- FILE…

Runs signature vectors (the format of test/vectors/webhook-signatures.json) through the verifier. Prints a line for each
that is judged otherwise than expected, and at last how many passed and failed. Exit 1 when one failed, 2 for a file that
cannot be read.
`

await runCommand({ name: 'vectors', usage: USAGE, failure: 2, run: runFiles })

function runFiles(args: readonly string[]): number {
  const { positionals: files } = readOptions({ args: [...args], allowPositionals: true })
  if (files.length === 0) throw new UsageError('Name a file of vectors')
  return passAll(files.flatMap(readVectors)) ? 0 : 1
}

/** Prints the failed vectors; returns whether there were none. */
function passAll(vectors: readonly Vector[]): boolean {
  let failed = 0
  for (const vector of vectors) {
    const verdict = judge(vector)
    if (isVectorMet(vector, verdict)) continue
    failed++
    stdout.write(
      `${vector.id}: ${verdict.ok ? 'accepted' : `refused (${verdict.reason})`}, expected ${vector.expected}\n`,
    )
  }
  stdout.write(`${vectors.length - failed} passed, ${failed} failed\n`)
  return failed === 0
}
