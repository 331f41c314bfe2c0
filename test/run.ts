// `npm test`: the whole suite, or what the arguments select. `npm test -- --on strict`: the edge tests on another local cloud.
import { argv, env, exit, stderr } from 'node:process'

/** What `--on` names: the tests of what differs there. */
const CLOUDS: Readonly<Record<string, readonly string[]>> = {
  strict: ['--project', 'strict', 'test/edge'],
  'dynamodb-local': ['--project', 'dynamodb-local'],
  aws: ['--project', 'aws'],
}
const SUITE = ['fast', 'handlers', 'api', 'spec', 'costs'].flatMap((project) => ['--project', project])
/** Where CI counts the tests. */
const REPORT = ['--reporter=default', '--reporter=json', '--outputFile=test-results.json']

const given = argv.slice(2)
const on = given.indexOf('--on')
const cloud = on === -1 ? undefined : (given.splice(on, 2)[1] ?? '')

argv.splice(2, argv.length, 'run', ...selected(), ...given)
await import(new URL('../node_modules/vitest/vitest.mjs', import.meta.url).href)

function selected(): readonly string[] {
  if (cloud !== undefined) {
    const [first = '', project = '', ...files] = CLOUDS[cloud] ?? unknown(cloud)
    return [first, project, ...(given.some((argument) => !argument.startsWith('-')) ? [] : files)]
  }
  if (given.includes('--project')) return []
  return env['CI'] && given.length === 0 ? [...SUITE, ...REPORT] : SUITE
}

function unknown(name: string): never {
  stderr.write(`npm test -- --on ${name}: use ${Object.keys(CLOUDS).join(', ')}\n`)
  exit(2)
}
