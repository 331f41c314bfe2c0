import { defineConfig } from 'vitest/config'

/** What counts seconds, or kills, wants the machine to itself. */
const ALONE = ['quality/chaos/kill.test.ts', 'quality/load/strangers.test.ts']

const NIGHTLY = 'quality/nightly/*.test.ts'
/** What `npm test` runs a part of, with the bundles. */
const BUILT_IN_FULL = 'test/process/faults.test.ts'
/** What `npm test` runs a part of, with a running service. */
const SERVED_IN_FULL = '{test/api/{basic,webhook-refusals},test/edge/{every-answer,spellings}}.test.ts'
/** What `npm test` runs a part of. */
const IN_FULL = [
  'test/contract/directories.test.ts',
  'test/contract/faithful-fake.test.ts',
  'test/simulation/crash-points.test.ts',
  'test/unit/deliver/configured/read.test.ts',
  'test/unit/http/refused-call.test.ts',
  'test/unit/infra/handlers.test.ts',
  'test/unit/stomp/codec/parser.test.ts',
  'test/unit/webhooks/before-the-signature.test.ts',
  'test/unit/webhooks/configured/{read,template}.test.ts',
  'test/unit/webhooks/explain/ask.test.ts',
  'test/unit/webhooks/{inbox,rotating-keys}.test.ts',
  'test/unit/webhooks/operators/replay-steps.test.ts',
  'test/unit/webhooks/providers/{rules,sns,twilio}.test.ts',
  'test/unit/webhooks/rate/limiter.test.ts',
]

const project = (name: string, options: object) => ({
  test: { name, testTimeout: 60_000, setupFiles: `${import.meta.dirname}/../test/support/own-globals.ts`, ...options },
})

export default defineConfig({
  test: {
    silent: 'passed-only',
    projects: [
      project('tests', { include: ['quality/*/*.test.ts'], exclude: [...ALONE, NIGHTLY] }),
      project('nightly', {
        include: [NIGHTLY, BUILT_IN_FULL],
        env: { RUN_IN_FULL: '1' },
        testTimeout: 240_000,
        hookTimeout: 240_000,
        maxWorkers: 2,
        globalSetup: `${import.meta.dirname}/../test/support/build-setup.ts`,
        // The bundles are run as they are, by Node itself, which cannot load GitHub's own reader of workflows.
        server: { deps: { external: [/^(?!.*workflow-parser).*\/dist\//], inline: [/workflow-parser/] } },
      }),
      project('served', {
        include: [SERVED_IN_FULL],
        env: { RUN_IN_FULL: '1' },
        hookTimeout: 60_000,
        expect: { poll: { timeout: 20_000 } },
        globalSetup: `${import.meta.dirname}/../test/support/api-setup.ts`,
      }),
      project('browser', {
        include: ['test/browser/webhooks-size.test.ts'],
        env: { RUN_IN_FULL: '1' },
        testTimeout: 240_000,
        hookTimeout: 60_000,
        expect: { poll: { timeout: 20_000 } },
        globalSetup: `${import.meta.dirname}/../test/support/browser-setup.ts`,
      }),
      project('in-full', { include: IN_FULL, testTimeout: 120_000, env: { RUN_IN_FULL: '1' } }),
      project('alone', {
        include: ALONE,
        testTimeout: 240_000,
        hookTimeout: 120_000,
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
})
