import { FLAG, printerFor, readOptions, runCommand, UsageError } from '../command.ts'
import { isVectorMet, judge, readVectors, type Vector } from '../signatures.ts'

const USAGE = `npx gatehouse vectors FILE… [--json]

Runs signature vectors (the format of test/vectors/webhook-signatures.json) through the verifier. Prints a line for each
whose verdict differs from the expected one, and at last how many passed and failed. Exit 1 when one failed, 2 for a file that
cannot be read.

  --json  one object: passed, and the failed ones with id, expected and verdict
`

function runFiles(args: readonly string[]): number {
  const options = { json: FLAG } as const
  const { positionals: files, values } = readOptions({ args: [...args], options, allowPositionals: true })
  if (files.length === 0) throw new UsageError('Name a file of vectors')
  return passAll(files.flatMap(readVectors), values.json) ? 0 : 1
}

/** Prints the failed vectors; returns whether there were none. */
function passAll(vectors: readonly Vector[], json: boolean): boolean {
  const failed: object[] = []
  const print = printerFor(json)
  for (const vector of vectors) {
    const verdict = judge(vector)
    if (isVectorMet(vector, verdict)) continue
    const { id, expected } = vector
    const judged = verdict.ok ? 'accepted' : `refused (${verdict.reason})`
    failed.push({ id, expected, verdict: judged })
    print(undefined, `${id}: ${judged}, expected ${expected}\n`)
  }
  const passed = vectors.length - failed.length
  print({ passed, failed }, `${passed} passed, ${failed.length} failed\n`)
  return failed.length === 0
}

if (import.meta.main) await runCommand({ name: 'vectors', usage: USAGE, failure: 2, run: runFiles })
