import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { repositoryOfProject } from '../support/release.ts'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

const VERSION = manifest.version
const folder = temporaryFolder()
/** Shells and URLs trip over a blank, patterns over brackets, and a guard of Lambda's runtime over two dots. */
const project = join(folder.path, 'shop..hooks [1]')
const engine = join(project, 'node_modules/gatehouse')
const at = (path: string) => join(project, path)

/** What a team imports: without a text of its license, as an ES module only, as a function of CommonJS. */
const PACKAGES = {
  'no-license': { manifest: { license: 'MIT' }, code: "exports.name = 'no-license'" },
  'only-esm': { manifest: { type: 'module' }, code: "export const name = 'only-esm'" },
  'one-function': { manifest: {}, code: "module.exports = () => 'one-function'" },
}

const HANDLER = `import { handler } from 'gatehouse'
import { name } from 'no-license'
import { name as other } from 'only-esm'
import named from 'one-function'

export const on = ['**']

export default handler(({ eventId }, { log }) => log.info('handled', { eventId, packages: [name, other, named()] }))
`

const NOTICES = `import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(*(archive.read(name).decode() for name in archive.namelist() if 'THIRD-PARTY' in name))`

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}

/** Runs a program of Node in the project, or elsewhere. */
function run(program: readonly string[], cwd = project) {
  return spawnSync(execPath, program, { cwd, encoding: 'utf8', env: localEnvironment({}) })
}

let repository: ReturnType<typeof repositoryOfProject>
const released = () => join(repository.path, 'release')
const tarball = () => join(released(), `gatehouse-${VERSION}.tgz`)

function unpack(): void {
  mkdirSync(engine, { recursive: true })
  expect(spawnSync('tar', ['-xzf', tarball(), '-C', engine, '--strip-components=1']).status).toBe(0)
}

/** All files of the engine. */
const files = () => readdirSync(engine, { recursive: true }).sort()

let unpacked: ReturnType<typeof files>

const gatehouse = (...args: readonly string[]) => run([join(engine, 'localstack/gatehouse.mjs'), ...args])

beforeAll(() => {
  repository = repositoryOfProject()
  const made = { status: 0, said: expect.stringContaining('No commit and no tag was made.') }
  expect(repository.release('--dry-run')).toEqual(made)
  unpack()
  unpacked = files()
  writeFileSync(at('package.json'), JSON.stringify({ name: 'shop', dependencies: { gatehouse: '0.1.0' } }))
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(engine, 'package.json'), 'utf8'),
  )
  // Only what it declares, so that nothing else can be loaded.
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })) {
    mkdirSync(dirname(at(`node_modules/${name}`)), { recursive: true })
    if (existsSync(`node_modules/${name}`)) symlinkSync(resolve('node_modules', name), at(`node_modules/${name}`))
  }
  for (const [name, { manifest, code }] of Object.entries(PACKAGES)) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', ...manifest }))
    write(`node_modules/${name}/index.js`, code)
  }
})
afterAll(() => {
  folder.remove()
  repository.remove()
})

it('a dry run of a release makes the package, its checksum, the SBOM and the notes, and changes nothing else', () => {
  expect(repository.git('status', '--porcelain')).toBe('')
  expect(repository.git('tag', '--list')).toBe('')
  expect(readdirSync(released()).toSorted()).toEqual(
    ['.cdx.json', '.md', '.tgz', '.tgz.sha256'].map((end) => `gatehouse-${VERSION}${end}`),
  )
  const checked = repository.run('env', '-C', 'release', 'sha256sum', '--check', `gatehouse-${VERSION}.tgz.sha256`)
  expect(checked).toMatch(/: OK$/m)
  const sbom = JSON.parse(readFileSync(join(released(), `gatehouse-${VERSION}.cdx.json`), 'utf8'))
  const names = sbom.components.map(({ name }: { readonly name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['jose', 'openid-client', 'ldapts']))
})

describe('the package of a release', () => {
  it('holds no path of the machine that made it, and at most 25 MB', () => {
    const all = globSync('**/*.*', { cwd: engine })
    const builders = [resolve('.'), repository.path].map((path) => `${path}/`)
    const told = all.filter((file) => builders.some((path) => readFileSync(join(engine, file)).includes(path)))
    expect(told).toEqual([])
    expect(readFileSync(tarball()).length).toBeLessThan(25_000_000)
  })

  it('ends with one sentence outside of a project', () => {
    const { status, stderr } = run([join(engine, 'localstack/gatehouse.mjs'), 'send', 'stripe'], folder.path)
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `${folder.path} is no project of Gatehouse: npx gatehouse init makes one of a folder\n`,
    })
  })
})

describe('gatehouse init', () => {
  it('writes a project whose tests and types hold, and says each line that it changes', () => {
    const { stdout, stderr, status } = gatehouse('init')
    expect(status, stderr).toBe(0)
    expect(stdout).toMatch(/^written +handlers\/demo\/greet\.ts$/m)
    expect(stdout).toMatch(/^package\.json +type: module$/m)
    expect(gatehouse('test').stdout).toMatch(/2 passed/)
    expect(run([resolve('node_modules/typescript/bin/tsc')]).stdout).toBe('')
    expect(gatehouse('check').status).toBe(0)
  })

  it('leaves what is there', () => {
    const [before, manifest] = [readFileSync(at('stages/prod.yml'), 'utf8'), readFileSync(at('package.json'), 'utf8')]
    write('stages/prod.yml', `${before}# ours\n`)
    const { stdout } = gatehouse('init')
    expect(stdout).not.toMatch(/^(?:written|package\.json)/m)
    expect(readFileSync(at('stages/prod.yml'), 'utf8')).toMatch(/# ours\n$/)
    expect(readFileSync(at('package.json'), 'utf8')).toBe(manifest)
  })
})

describe('a project', () => {
  let offset: number
  let stack: Stack | undefined
  const start = () => {
    const environment = { PORT_OFFSET: `${offset}` }
    const launcher = ['env', '-C', project]
    return startStack(environment, launcher, [], [join(engine, 'localstack/gatehouse.mjs'), 'start'])
  }
  const send = () => {
    const command = [join(engine, 'localstack/gatehouse.mjs'), 'send', 'demo', 'greeting', '--json']
    const env = localEnvironment({ PORT_OFFSET: `${offset}` })
    return spawnSync(execPath, command, { cwd: project, encoding: 'utf8', env })
  }
  const log = () => readFileSync(at('.data/gatehouse.log'), 'utf8')

  beforeAll(async () => {
    offset = await freeOffset()
    write('handlers/demo/packages.ts', HANDLER)
  })
  afterAll(() => stack?.stop())

  it('runs its handlers with any packages of its own, and keeps its data in its folder', async () => {
    stack = await start()
    expect(send().status).toBe(0)
    await vi.waitFor(() => expect(log()).toContain('"packages":["no-license","only-esm","one-function"]'), 20_000)
    await vi.waitFor(() => expect(log()).toContain('"message":"greeted"'), 20_000)
    await stack.stop()
    stack = undefined
  })

  it('keeps its data and its code over an update', async () => {
    const [, id = ''] = /"message":"greeted".*?"eventId":"([^"]+)"/.exec(log()) ?? []
    const manifest = JSON.parse(readFileSync(join(engine, 'package.json'), 'utf8'))
    rmSync(engine, { recursive: true })
    unpack()
    writeFileSync(join(engine, 'package.json'), JSON.stringify({ ...manifest, version: '0.2.0' }))
    stack = await start()
    expect(gatehouse('--version').stdout).toBe('0.2.0\n')
    const [user] = stack.ready.users
    const authorization = `Basic ${Buffer.from(`${user?.username}:${user?.password}`).toString('base64')}`
    const answer = await fetch(`${stack.ready.http}/api/webhooks/events/demo/${id}`, { headers: { authorization } })
    expect(await answer.json()).toMatchObject({ source: 'demo', eventId: id, status: 'PROCESSED' })
  })

  it('names the file of a handler that cannot be built, as the team sees it', () => {
    write('handlers/demo/broken.ts', "import 'no-such-package'\nexport const on = ['**']\nexport default () => {}\n")
    const { status, stderr } = gatehouse('package', '--stage', 'prod')
    rmSync(at('handlers/demo/broken.ts'))
    expect(status, stderr).toBe(1)
    expect(stderr).toContain('handlers/demo/broken.ts:1:7: Could not resolve "no-such-package": install its package:')
    expect(stderr).not.toContain('../')
  })

  it('is packaged into its own folder, with the notices of its packages, and the package stays as it was unpacked', () => {
    const { status, stdout, stderr } = gatehouse('package', '--stage', 'prod')
    expect(status, stdout + stderr).toBe(0)
    const [archive = ''] = globSync('.gatehouse/.serverless/*DemoPackages.zip', { cwd: project })
    const notices = spawnSync('/usr/bin/python3', ['-c', NOTICES, at(archive)], { encoding: 'utf8' }).stdout
    for (const name of Object.keys(PACKAGES)) expect(notices).toContain(`${name} 1.0.0`)
    const template = readFileSync(at('.gatehouse/.serverless/cloudformation-template-update-stack.json'), 'utf8')
    const { PublicHelloLambdaFunction: hello } = JSON.parse(template).Resources
    expect(hello.Properties.Environment.Variables).toMatchObject({ STAGE: 'prod' })
    expect(files()).toEqual(unpacked)
  })
})
