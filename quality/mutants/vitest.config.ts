import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // The unit tests of what is mutated and of what stands on it.
    include: [
      'test/unit/{adapters,auth,contract,grpc,http,orders,payments,stomp,users,webhooks}/**/*.test.ts',
      // Every published call of every provider, judged.
      'test/unit/localstack/signatures/vector.test.ts',
      // Servers in the process of the test, for what no unit test can reach.
      'test/channels/stomp-{tcp,wire}.test.ts',
    ],
    // Each file in a world of its own: what one mutant did to a module, no other may see.
    isolate: true,
    testTimeout: 30_000,
    setupFiles: 'test/support/own-globals.ts',
  },
})
