import { LAMBDA_ENVIRONMENT } from '../../../test/support/lambda-environment.ts'
import { instructionsOf } from '../cold/meter.ts'
import { effort } from '../effort.ts'
import type { Bundles } from '../peers.ts'

const SUBJECT = `${import.meta.dirname}/calls.mjs`

/** By then V8 has compiled what it will; what is between the two is measured. */
const [BEFORE, AFTER] = effort([1500, 3500] as const, [2, 4] as const)

/**
 * What one call of a case takes in a warm process, in thousands of instructions: a process that answers more calls, less one
 * that answers fewer. They repeat to a percent, whatever the machine does besides.
 */
export async function instructionsPerCall(files: Bundles, texts: string, index: number) {
  const costs = new Map<string, readonly number[]>()
  for (const [name, file] of files) {
    const [less = 0, more = 0] = await Promise.all(
      [BEFORE, AFTER].map((calls) =>
        instructionsOf([SUBJECT, file, texts, `${index}`, `${calls}`], LAMBDA_ENVIRONMENT),
      ),
    )
    costs.set(name, [((more - less) * 1000) / (AFTER - BEFORE)])
  }
  return costs
}
