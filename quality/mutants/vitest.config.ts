import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The folders whose tests most likely find a mutant: the first that does ends the search. */
const first = (env['MUTANTS_TESTS'] ?? '').split(',').map((folder) => `/test/unit/${folder}/`)

/** The tests of a short run. */
const only = env['MUTANTS_ONLY']?.split(',')

class LikelyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLikely = ({ moduleId }: TestSpecification) => first.some((folder) => moduleId.includes(folder))
    return files.toSorted((one, other) => Number(isLikely(other)) - Number(isLikely(one)))
  }
}

export default defineConfig({
  test: {
    // The unit tests of what is mutated and of what stands on it. Those of the project itself read source text.
    include: only ?? [
      'test/unit/{adapters,auth,contract,grpc,http,orders,payments,stomp,users,webhooks}/**/*.test.ts',
      // Every published call of every provider, judged.
      'test/unit/localstack/signatures/vector.test.ts',
      // Servers in the process of the test, for what no unit test can reach.
      'test/channels/stomp-{tcp,wire}.test.ts',
    ],
    // Seconds of random input for each mutant.
    exclude: ['test/unit/webhooks/fuzz.test.ts'],
    // Each file in a world of its own: what one mutant did to a module, no other may see.
    isolate: true,
    testTimeout: 30_000,
    setupFiles: 'test/support/own-globals.ts',
    sequence: { sequencer: LikelyFirst },
  },
})
