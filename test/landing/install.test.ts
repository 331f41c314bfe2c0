import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/stack.ts'

const folder = temporaryFolder()
const project = join(folder.path, 'project')
const ran = join(folder.path, 'ran')

/** Has an npm that knows `allowScripts` run all scripts, as those before npm 11 do that know nothing of it. */
const OLD_NPM = { npm_config_dangerously_allow_all_scripts: 'true' }

const ENVIRONMENT = { PATH: env['PATH'], HOME: folder.path, RAN: ran, ...OLD_NPM }

function npm(directory: string, ...options: readonly string[]): void {
  const { status, stderr } = spawnSync('npm', [...options, '--offline', '--no-audit', '--no-fund'], {
    cwd: directory,
    env: ENVIRONMENT,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
}

/** Packs a package whose script leaves a trace. */
function packed(name: string, script: 'preinstall' | 'install' | 'postinstall'): string {
  const source = join(folder.path, name)
  mkdirSync(source)
  const scripts = { [script]: `node -e "require('node:fs').writeFileSync(process.env.RAN + '/${name}', '')"` }
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version: '1.0.0', scripts }))
  npm(source, 'pack', '--pack-destination', folder.path)
  return `file:../${name}-1.0.0.tgz`
}

const DENIED = ['denied-early', 'denied', 'denied-late', 'undecided']

const traces = () => [...DENIED, 'allowed'].filter((name) => existsSync(join(ran, name)))

beforeAll(() => {
  mkdirSync(join(project, 'localstack'), { recursive: true })
  copyFileSync('localstack/ensure-installed.mjs', join(project, 'localstack/ensure-installed.mjs'))
  copyFileSync('.npmrc', join(project, '.npmrc'))
  const dependencies = {
    'denied-early': packed('denied-early', 'preinstall'),
    denied: packed('denied', 'install'),
    'denied-late': packed('denied-late', 'postinstall'),
    undecided: packed('undecided', 'postinstall'),
    allowed: packed('allowed', 'preinstall'),
  }
  const allowScripts = { 'denied-early': false, denied: false, 'denied-late': false, allowed: true }
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'p', version: '1.0.0', allowScripts, dependencies }),
  )
  npm(project, 'install', '--package-lock-only')
}, 120_000)
afterAll(() => folder.remove())
beforeEach(() => {
  mkdirSync(ran)
  return () => spawnSync('rm', ['-r', ran, join(project, 'node_modules')])
})

/** Installs as `npm start` does. */
const install = (changes: NodeJS.ProcessEnv = {}) =>
  spawnSync(execPath, ['localstack/ensure-installed.mjs'], {
    cwd: project,
    env: { ...ENVIRONMENT, npm_config_offline: 'true', ...changes },
    encoding: 'utf8',
  })

const isStamped = () => existsSync(join(project, 'node_modules/.gatehouse-lockfile'))

describe('K09 under an npm that does not know allowScripts', () => {
  it('npm start and similar commands run install scripts only of the allowed packages', () => {
    const { status, stderr } = install()
    expect(status, stderr).toBe(0)
    expect(traces()).toEqual(['allowed'])
    expect(existsSync(join(project, 'node_modules/denied/package.json'))).toBe(true)
  })

  it.each(['ci', 'install', 'rebuild'])('npm %s, typed by hand, runs no install script', (command) => {
    if (command === 'rebuild') npm(project, 'install', '--ignore-scripts')
    npm(project, command)
    expect(traces()).toEqual([])
  })
})

describe('an installation', () => {
  it('is made once', () => {
    expect(install().stderr).toContain('Installing the packages of this project')
    expect(install()).toMatchObject({ status: 0, stderr: '' })
  })

  it('by hand counts: only the allowed scripts are run', () => {
    npm(project, 'ci')
    const { status, stderr } = install()
    expect(status, stderr).toBe(0)
    expect(stderr).not.toContain('Installing')
    expect([isStamped(), traces()]).toEqual([true, ['allowed']])
  })

  it('that was interrupted is repeated', () => {
    npm(project, 'ci')
    rmSync(join(project, 'node_modules/.package-lock.json'))
    rmSync(join(project, 'node_modules/denied'), { recursive: true })
    expect(install()).toMatchObject({ status: 0, stderr: expect.stringContaining('Installing the packages') })
    expect(existsSync(join(project, 'node_modules/denied/package.json'))).toBe(true)
  })

  it('without a network says in one sentence what to do, and is made when there is one', () => {
    const broken = { npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: join(folder.path, 'no-cache') }
    const tarball = join(folder.path, 'denied-1.0.0.tgz')
    renameSync(tarball, `${tarball}.away`)
    const { status, stderr } = install(broken)
    renameSync(`${tarball}.away`, tarball)
    expect(status).not.toBe(0)
    expect(stderr).toContain('npm ci failed, for the reason above: repeat the command when the network is there')
    expect(isStamped()).toBe(false)
    mkdirSync(join(project, 'node_modules'), { recursive: true })
    expect(install().status).toBe(0)
  })

  it('of another process is waited for; one whose process has ended is not', async () => {
    const lock = join(project, '.installing')
    const other = spawn('sleep', ['60'])
    writeFileSync(lock, String(other.pid))
    const second = spawn(execPath, ['localstack/ensure-installed.mjs'], { cwd: project, env: ENVIRONMENT })
    const told = text(second.stderr)
    await once(second.stderr, 'readable')
    other.kill()
    const [status] = await once(second, 'exit')
    expect(await told).toContain('Another process installs the packages: waiting for it …')
    expect([status, existsSync(lock), isStamped()]).toEqual([0, false, true])
  })
})

it('scripts of the package find the Node that it was installed with first', () => {
  expect(install().status).toBe(0)
  expect(readlinkSync(join(project, 'node_modules/.bin/node'))).toBe(execPath)
})
