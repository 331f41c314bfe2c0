import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { command } from '../support/command.ts'
import { freeOffset, temporaryFolder } from '../support/stack.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

/** Has every node that is started with it believe that it is an old one. */
function oldNode(): string {
  const file = join(folder.path, 'old-node.cjs')
  const features = "Object.defineProperty(process.features, 'typescript', { value: false })"
  writeFileSync(file, `Object.defineProperty(process, 'version', { value: 'v18.20.8' })\n${features}`)
  return `--require=${file}`
}

describe.concurrent('npx gatehouse doctor', () => {
  it('reports no fault on a sound installation', async () => {
    const { code, stdout, stderr } = await command('doctor', [], {
      PORT_OFFSET: String(await freeOffset()),
      DATA_DIR: folder.path,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^(ok {2}|warn) {2}\S/)
  })

  it('names the remedy for each of four planted faults, and fails', async () => {
    const offset = await freeOffset()
    const server = createServer().listen(3000 + offset, '127.0.0.1')
    const { code, stdout } = await command('doctor', [], {
      PORT_OFFSET: String(offset),
      // Nobody can write there, not even root.
      DATA_DIR: '/proc/gatehouse',
      PROFILE: 'nobody',
      CHROMIUM: '/nowhere/chromium',
    })
    server.close()
    expect(code).toBe(1)
    const lines = stdout.split('\n').filter((line) => !line.startsWith('ok'))
    const faults = [
      /^fail {2}settings +PROFILE: must be one of default, jwt, .*: correct or unset it/,
      /^fail {2}data folder +\/proc\/gatehouse cannot be written \(\w+\): .* name another one in DATA_DIR/,
      /^fail {2}ports +\d+ \(HTTP API\) is taken: PORT_OFFSET=\d+ moves every port/,
      /^warn {2}Chromium +missing, for the tests in a browser: apt-get install chromium/,
    ]
    for (const fault of faults) expect(lines).toContainEqual(expect.stringMatching(fault))
  })

  it('on an old Node, says which one to install', async () => {
    const { code, stdout } = await command('doctor', [], { NODE_OPTIONS: oldNode() })
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^fail {2}Node\.js +v18\.20\.8 is too old: install .*\n$/),
    ])
  })
})

describe.concurrent('npx gatehouse verify', () => {
  it('fails when nothing answers, and reports this for each check', async () => {
    const url = `http://127.0.0.1:${3000 + (await freeOffset())}`
    const { code, stdout } = await command('verify', ['--url', url], { DATA_DIR: folder.path })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^fail +hello +No answer to \/api\/public\/hello: ECONNREFUSED$/m)
    expect(stdout).toMatch(/^fail +admin +No answer to /m)
    expect(stdout).toMatch(/^skipped +webhook +no secret of order-status in WEBHOOK_SECRETS$/m)
  })

  it.each([[[]], [['--url', 'https://ada@hooks.example.com']], [['--url', 'https://hooks.example.com/dev']]])(
    'exits with 2 for the address in %j',
    async (args) => {
      expect(await command('verify', args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('--url'),
      })
    },
  )
})

describe.concurrent('npx gatehouse preflight', () => {
  it('prints a line for each finding, and ends with 1 when one fails', async () => {
    const line = /^fail {2}stage nowhere {2}there is no \S+nowhere\.yml: .*: docs\/deploy\.md, step 3\n$/
    const { code, stdout } = await command('preflight', ['--stage', 'nowhere'])
    expect([code, stdout]).toEqual([1, expect.stringMatching(line)])
  })

  it.each([
    [['--stage', 'local'], 'Name a stage that is deployed: --stage prod'],
    [['--stage', 'prod', '--param', 'data'], '--param must be <name>=<value>'],
    [['--stage', 'prod', '--stage=dev'], '--stage is given twice'],
  ])('rejects %j as wrong usage', async (args, message) => {
    const stderr = `${message} (npx gatehouse preflight --help shows more)\n`
    expect(await command('preflight', args)).toEqual({ code: 2, stdout: '', stderr })
  })
})

it.each([
  [['-s', 'prod', '--stage', 'dev'], '--stage is given twice'],
  [['--stage', '--verbose'], '--stage must name a deployed stage'],
])('gatehouse package rejects %j as wrong usage', async (args, message) => {
  const packaged = promisify(execFile)('node', ['localstack/gatehouse.mjs', 'package', ...args])
  const stderr = `${message} (npx gatehouse package --help shows more)\n`
  await expect(packaged).rejects.toMatchObject({ code: 2, stderr })
})

it('gatehouse check names all mistakes in the files of stages', async () => {
  writeFileSync(join(folder.path, 'one.yml'), 'retryScanMinutes: 0\ndata: gone\n')
  writeFileSync(join(folder.path, 'two.yml'), 'nonsense: 1\n')
  const env = { ...process.env, STAGES_DIR: folder.path }
  const checked = promisify(execFile)('node', ['localstack/gatehouse.mjs', 'check'], { env })
  const { code, stdout } = await checked.then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { readonly code: number; readonly stdout: string }) => error,
  )
  expect(code).toBe(1)
  for (const fault of [/stage one +retryScanMinutes:/, /stage one +data:/, /stage two .*nonsense is neither/])
    expect(stdout).toMatch(fault)
})

describe.concurrent('every command', () => {
  it.each(['start', 'send'])('%s shows its usage with --help', async (name) => {
    const { code, stdout, stderr } = await command(name, ['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^npx gatehouse (?:start|send) /)
  })

  it.each(['start', 'send', 'doctor'])('%s names the wrong option in one line', async (name) => {
    const how = name === 'start' ? 'npm start --' : `npx gatehouse ${name}`
    const stderr = `Unknown option '--nonsense' (${how} --help shows more)\n`
    expect(await command(name, ['--nonsense'])).toEqual({ code: 2, stdout: '', stderr })
  })

  it.each([
    ['send', 'payment'],
    ['replay', '--dead'],
  ])('%s %s names the wrong setting in one line', async (name, argument) => {
    const stderr = 'Wrong settings: PORT_OFFSET: must be a whole number\n'
    expect(await command(name, [argument], { PORT_OFFSET: 'x' })).toEqual({ code: 1, stdout: '', stderr })
  })
})

/** Runs `npx gatehouse`, with a registry that answers nobody. */
function gatehouse(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: join(folder.path, 'npm') }
  return new Promise((resolve) => {
    execFile('npx', ['gatehouse', ...args], { encoding: 'utf8', env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

describe('npx gatehouse', () => {
  it('runs a command of this clone, downloads nothing, and returns its exit code', async () => {
    expect(await gatehouse('vectors', 'test/vectors/webhook-signatures.json', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\{"passed":\d+,"failed":\[\]\}\n$/),
    })
    expect(await gatehouse('vectors')).toMatchObject({ code: 2, stdout: '' })
  })

  it('suggests the command that was probably intended', async () => {
    expect(await gatehouse('sned')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no command sned: did you mean send?\n',
    })
  })

  it('help with a command is the help of that command', async () => {
    expect(await gatehouse('help', 'send')).toEqual(await gatehouse('send', '--help'))
    expect((await gatehouse('help', 'sned')).stderr).toBe('There is no command sned: did you mean send?\n')
  })

  it('lists every command that npm run provides for users, and those that npm run has for this project or not at all', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    const offered = Object.keys(scripts).filter((name) =>
      /\blocalstack\/(?:commands\/)?(?!ensure)[\w-]+\.m?[jt]s/.test(scripts[name]?.replace(/^cmp .*&& exec/, '') ?? ''),
    )
    const { stdout } = await gatehouse('--help')
    const listed = [...stdout.matchAll(/^ {2}([\w-]+) {2,}/gm)].map(([, name]) => name)
    const others = ['quality', 'build', 'image', 'test']
    const own = ['check', 'init', 'test', 'package', 'deploy', 'rollback', 'remove', 'try-receiver', 'report']
    const wanted = [...own, ...offered.filter((name) => !others.includes(name))]
    expect(listed.toSorted()).toEqual(wanted.toSorted())
  })
})

describe.concurrent('without a service', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['token', ['admin'], /^No key in \S+: npm start makes one, or set JWT_KEYS to .*\n$/],
    ['send', ['slack'], /^No secret for slack: start the service first, or set WEBHOOK_SECRETS to .*\n$/],
    ['seed', [], /^No tables answer at http:\/\/127\.0\.0\.1:\d+: start the service first\.\n$/],
  ])('%s states in one line how to continue', async (name, args, line) => {
    const environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: folder.path }
    const { code, stdout, stderr } = await command(name, args, environment)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(line)
  })
})
