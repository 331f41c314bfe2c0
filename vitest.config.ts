import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const project = (name: string, options: object = {}) => ({
  oxc: { jsx: { runtime: 'automatic' as const, importSource: 'preact' } },
  test: { name, include: [`test/${name}/**/*.test.{ts,tsx}`], expect: { poll: { timeout: 20_000 } }, ...options },
})

/** Unit tests that put something in a built-in module's place. */
const MOCKING = ['test/unit/auth/accounts.test.ts', 'test/unit/auth/password.test.ts']

/** Unit tests of what is around the service: the local cloud and its commands, templates, descriptions. */
const TOOLING = 'test/unit/{localstack,infra,description}/**/*.test.ts'

/** Where CI counts the tests. */
const REPORT = ['json', { outputFile: 'test-results.json' }] as const

const BUILD = 'test/support/build-setup.ts'

const PLAIN = 'test/support/plain-setup.ts'

/** `npm test` starts the default profile and `ldap`. `npm run quality -- long` starts the others, each with a stack of its own. */
const OTHER_PROFILES = ['test/spec/jdbc.test.ts', 'test/spec/jwt.test.ts', 'test/spec/oauth2.test.ts']

/** The bundles are run as they are, by Node itself. */
const AS_BUILT = { deps: { external: [/\/dist\//] } }

/** The longest files go first: the api tests run beside them, and wait more than they work. */
const LONGEST = /\/test\/(?:spec\/default|contract\/directories|browser\/console|process\/start)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

/** One world for all files saves two thirds of the time: what mocks a module is a file of its own kind. */
const SHARED = { isolate: false, testTimeout: 30_000, setupFiles: 'test/support/own-globals.ts' }

const CONTRACT = {
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  setupFiles: 'test/support/own-globals.ts',
}

export default defineConfig({
  test: {
    // What passing tests print is what the functions log.
    silent: 'passed-only',
    // More than two cores' worth: many a test waits for a process. Vitest itself would leave one core to others.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: env['CI'] ? ['default', [...REPORT]] : ['default'],
    projects: [
      project('unit', { ...SHARED, exclude: [...MOCKING, TOOLING] }),
      project('tooling', { ...SHARED, include: [TOOLING] }),
      project('mocking', { include: MOCKING, testTimeout: 30_000 }),
      // What a team writes, and our examples of it.
      project('handlers', { include: ['{handlers,examples}/**/*.test.ts'], exclude: ['**/node_modules/**'] }),
      // Every parser of what strangers send, with the inputs that the fuzzer has found.
      project('inputs', SHARED),
      project('simulation', { isolate: false, testTimeout: 120_000 }),
      project('contract', CONTRACT),
      // The contract tests again, against AWS's own emulator: `npm run test:dynamodb-local`.
      project('dynamodb-local', {
        ...CONTRACT,
        // Each file has tables of its own in the one engine.
        isolate: true,
        include: ['test/contract/**/*.test.ts'],
        globalSetup: 'test/support/dynamodb-local-setup.ts',
      }),
      // One running service for all of them.
      project('api', {
        include: ['test/{api,channels}/**/*.test.ts'],
        isolate: false,
        testTimeout: 30_000,
        hookTimeout: 60_000,
        globalSetup: 'test/support/api-setup.ts',
      }),
      // The api tests again, besides what `npm test` runs: `npm run test:aws-endpoint`.
      project('aws-endpoint', {
        include: ['test/api/**/*.test.ts'],
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: 'test/support/aws-endpoint-setup.ts',
      }),
      // The api tests again, with the limits and habits of AWS: `npm run test:strict`.
      project('strict', {
        include: ['test/api/**/*.test.ts'],
        isolate: false,
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: 'test/support/strict-setup.ts',
        setupFiles: 'test/support/strict-differences.ts',
      }),
      project('spec', { exclude: OTHER_PROFILES, testTimeout: 30_000, hookTimeout: 60_000, globalSetup: BUILD }),
      // Starts, commands, outages and the packaged functions; a browser: `npm run test:process`, besides what `npm test` runs.
      project('process', {
        testTimeout: 60_000,
        hookTimeout: 60_000,
        globalSetup: BUILD,
        server: AS_BUILT,
      }),
      project('browser', { testTimeout: 60_000, hookTimeout: 60_000, globalSetup: [BUILD, PLAIN] }),
      // Every page in every state and profile takes minutes: `npm run test:console`, besides what `npm test` runs.
      project('console', { testTimeout: 120_000, hookTimeout: 120_000 }),
      // What one call of a packaged function asks of the stores, counted between the two.
      project('costs', {
        testTimeout: 60_000,
        hookTimeout: 60_000,
        globalSetup: [BUILD, PLAIN],
        server: AS_BUILT,
      }),
    ],
  },
})
