import { argv, exit, stderr, stdout } from 'node:process'
import { readVectors } from './signatures/file.ts'
import { isAsExpected, judge, type Vector } from './signatures/vector.ts'
import { StartError } from './start-error.ts'

const USAGE = `npm run vectors -- FILE…

Runs signature vectors (the format of test/vectors/webhook-signatures.json) through the verifier. Prints a line for each
that is judged otherwise than expected, and at last how many passed and failed. Exit 1 when one failed, 2 for a file that
cannot be read.
`

const files = argv.slice(2)

if (files.length === 0 || files.some((file) => file.startsWith('-'))) {
  stderr.write(USAGE)
  exit(2)
}

try {
  exit(run(files.flatMap(readVectors)) ? 0 : 1)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  stderr.write(`${error.message}\n`)
  exit(2)
}

/** Prints what failed; whether nothing did. */
function run(vectors: readonly Vector[]): boolean {
  let failed = 0
  for (const vector of vectors) {
    const verdict = judge(vector)
    if (isAsExpected(vector, verdict)) continue
    failed++
    stdout.write(
      `${vector.id}: ${verdict.ok ? 'accepted' : `refused (${verdict.reason})`}, expected ${vector.expected}\n`,
    )
  }
  stdout.write(`${vectors.length - failed} passed, ${failed} failed\n`)
  return failed === 0
}
