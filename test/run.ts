// `npm test`: the whole suite, or what the arguments select. `npm test -- --on strict`: the edge tests on another local cloud.
import { spawnSync } from 'node:child_process'
import { argv, env, execPath, exit, stderr } from 'node:process'

/** What `--on` names: the tests of what differs there. */
const CLOUDS: Readonly<Record<string, readonly string[]>> = {
  offline: ['--project', 'offline', 'test/edge'],
  strict: ['--project', 'strict', 'test/edge'],
  'dynamodb-local': ['--project', 'dynamodb-local'],
  aws: ['--project', 'aws'],
}
const SUITE = ['fast', 'handlers', 'api', 'costs'].flatMap((project) => ['--project', project])
/** Where CI counts the tests. */
const REPORT = ['--reporter=default', '--reporter=json', '--outputFile=test-results.json']

/** Projects that run the tools of quality/. */
const WITH_TOOLS = ['browser', 'commands', 'landing', 'process']

const given = argv.slice(2)
if (WITH_TOOLS.some((project) => given.includes(project))) installTools()
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

function installTools(): void {
  const { status } = spawnSync(execPath, ['localstack/ensure-installed.mjs', 'quality'], { stdio: ['ignore', 2, 2] })
  if (status !== 0) exit(status ?? 1)
}

function unknown(name: string): never {
  stderr.write(`npm test -- --on ${name}: use ${Object.keys(CLOUDS).join(', ')}\n`)
  exit(2)
}
