import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const project = (
  name: string,
  { setupFiles = [], ...options }: { setupFiles?: readonly string[]; [option: string]: unknown } = {},
) => ({
  oxc: { jsx: { runtime: 'automatic' as const, importSource: 'preact' } },
  test: {
    name,
    include: [`test/${name}/**/*.test.{ts,tsx}`],
    expect: { poll: { timeout: 20_000 } },
    // What one run compiled, the next one need not.
    fsModuleCache: true,
    setupFiles: [join(import.meta.dirname, 'test/support/ends-with-run.ts'), ...setupFiles],
    ...options,
  },
})

const BUILD = 'test/support/build-setup.ts'

/** The bundles are run as they are, by Node itself. */
const AS_BUILT = { deps: { external: [/\/dist\//] } }

/** The longest files go first: the api tests run beside them, and wait more than they work. */
const LONGEST = /\/test\/(?:spec\/default|contract\/directories|process\/start)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

/** One world for all files: a test hands it on as it found it. */
const SHARED = { isolate: false, testTimeout: 60_000, hookTimeout: 60_000, setupFiles: ['test/support/own-globals.ts'] }

export default defineConfig({
  test: {
    // What passing tests print is what the functions log.
    silent: 'passed-only',
    // One a core of the smallest machine: more make each test wait for the others.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Rules, with fakes and a fixed clock; stores and directories, by their contract.
      project('fast', {
        ...SHARED,
        pool: 'threads',
        include: ['test/{unit,contract,inputs,simulation}/**/*.test.{ts,tsx}'],
      }),
      // What a team writes, and our examples of it.
      project('handlers', { include: ['{handlers,examples}/**/*.test.ts'], exclude: ['**/node_modules/**'] }),
      // The contract again, against AWS's own emulator: `npm test -- --on dynamodb-local`.
      project('dynamodb-local', {
        ...SHARED,
        // Each file has tables of its own in the one engine.
        isolate: true,
        include: ['test/contract/**/*.test.ts'],
        env: { CONTRACT_ENGINE: 'java' },
        globalSetup: 'test/support/dynamodb-local-setup.ts',
      }),
      // One running service for all of them.
      project('api', {
        include: ['test/{api,channels}/**/*.test.ts', 'test/spec/default.test.ts'],
        isolate: false,
        // They wait for the service more than they work.
        maxWorkers: 3,
        sequence: { groupOrder: 1 },
        testTimeout: 30_000,
        hookTimeout: 60_000,
        globalSetup: 'test/support/api-setup.ts',
      }),
      // The api tests again, with all of AWS behind one address: `npm test -- --on aws`.
      project('aws', {
        include: ['test/{api,edge}/**/*.test.ts'],
        isolate: false,
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: 'test/support/aws-endpoint-setup.ts',
      }),
      // What depends on a gateway, behind that of `npm start`: `npm test -- --on offline`, which also takes api tests.
      project('offline', {
        include: ['test/{api,edge}/**/*.test.ts'],
        isolate: false,
        testTimeout: 30_000,
        hookTimeout: 60_000,
        globalSetup: 'test/support/offline-setup.ts',
      }),
      // The same with the limits and habits of AWS: `npm test -- --on strict`.
      project('strict', {
        include: ['test/{api,edge}/**/*.test.ts'],
        isolate: false,
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: 'test/support/strict-setup.ts',
        setupFiles: ['test/support/strict-differences.ts'],
      }),
      // The other profiles, and a service that lacks something: each starts its own.
      project('spec', { exclude: ['test/spec/default.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 }),
      // Starts, commands, outages and the packaged functions.
      project('process', {
        testTimeout: 60_000,
        hookTimeout: 60_000,
        globalSetup: BUILD,
        server: AS_BUILT,
      }),
      // Commands that talk to one running service, each a process of its own.
      project('commands', { testTimeout: 60_000, hookTimeout: 60_000, globalSetup: 'test/support/api-setup.ts' }),
      // What a deployment would make: one packaging for all of them.
      project('deploy', { testTimeout: 240_000, hookTimeout: 240_000, globalSetup: 'test/deploy/setup.ts' }),
      // What packages, builds twice, fills a disk or changes secrets under load.
      project('landing', {
        testTimeout: 240_000,
        hookTimeout: 240_000,
        maxWorkers: 2,
        globalSetup: BUILD,
        server: AS_BUILT,
      }),
      // One service for all of them: most of their time they wait for a page.
      project('browser', {
        ...SHARED,
        testTimeout: 120_000,
        globalSetup: 'test/support/browser-setup.ts',
      }),
      // What one call of a function asks of the stores, counted between the two; nothing runs but these.
      project('costs', {
        testTimeout: 60_000,
        hookTimeout: 60_000,
        globalSetup: 'test/support/stores-setup.ts',
        server: { deps: { external: [/native-import/] } },
      }),
    ],
  },
})
