import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process, { cwd, execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METAFILES, type Metafiles } from '../../infra/build.ts'
import { NOTICES } from '../../infra/supply/notices.ts'
import { ROUTES } from '../../lib/endpoints/index.ts'
import type { Route } from '../../lib/endpoints/route.ts'
import { copyProject } from '../support/copy-project.ts'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

/** Runs a module of the project, or code that loads one, in a folder. */
function runIn(folder: string, ...parameters: readonly string[]): void {
  const { status, stderr } = spawnSync(execPath, parameters, {
    cwd: folder,
    env: localEnvironment({}),
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
}

describe('a build while npm start runs', () => {
  const copy = temporaryFolder()
  let stack: Stack

  beforeAll(async () => {
    copyProject(cwd(), copy.path)
    const environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: join(copy.path, '.data') }
    stack = await startStack(environment, ['env', '-C', copy.path])
    expect(await loginAs('admin')).toBe(200)
    const directory = join(copy.path, 'lib/adapters/ldap/directory.ts')
    const changed = readFileSync(directory, 'utf8').replace('sizeLimit: 2', 'sizeLimit: 3')
    expect(changed).toContain('sizeLimit: 3')
    writeFileSync(directory, changed)
    rmSync(join(copy.path, 'functions/api/user-secure.ts'))
    runIn(copy.path, 'infra/build.ts')
  }, 600_000)
  afterAll(async () => {
    await stack?.stop()
    copy.remove()
  })

  const base = () => stack.ready.http

  async function loginAs(username: string): Promise<number> {
    const body = new URLSearchParams({ username, password: `${username}-demo` })
    return (await fetch(`${base()}/api/auth/login`, { method: 'POST', body })).status
  }

  it('leaves a loaded function the parts that it loads later', async () => {
    expect(await loginAs('ldapuser')).toBe(200)
  })

  it.each(Object.entries<Route>(ROUTES))('leaves %s, which was not loaded yet, what it was', async (_, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, 'x')
    const { status } = await fetch(`${base()}${path}`, { method: route.method, redirect: 'manual' })
    expect(status).toBeLessThan(500)
  })

  it('leaves a function that is gone from the sources', async () => {
    const headers = { authorization: `Basic ${btoa('user:user-demo')}` }
    expect((await fetch(`${base()}/api/user/secure`, { headers })).status).toBe(200)
  })

  it('puts into no package a file of the build before', () => {
    const bundles: Metafiles = JSON.parse(readFileSync(join(copy.path, METAFILES), 'utf8'))
    const made = Object.values(bundles).flatMap(({ outputs }) => Object.keys(outputs))
    const packed = globSync('dist/{api,webhooks,login,console,docs,jobs,fallback,adapter}/**/*.*', { cwd: copy.path })
    const known = (file: string) => made.includes(file) || file.endsWith(`/${NOTICES}`) || file.endsWith('.gz')
    expect(packed.length).toBeGreaterThan(100)
    expect(packed.filter((file) => !known(file))).toEqual([])
    expect(packed.filter((file) => file.includes('user-secure'))).toEqual([])
  })
})

describe('the builds before', () => {
  const BUILDS = pathToFileURL(resolve('infra/builds.ts')).href

  /** Makes a build that holds one file, in a process of its own. */
  function build(folder: string, content: string): void {
    const script = `
      import { mkdirSync, writeFileSync } from 'node:fs'
      import { publishBuild } from ${JSON.stringify(BUILDS)}
      await publishBuild(async (folder) => writeFileSync(folder + '/made', ${JSON.stringify(content)}))`
    runIn(folder, '--input-type=module', '--eval', script)
  }

  const madeIn = (folder: string) =>
    readdirSync(join(folder, '.builds'))
      .filter((name) => name.startsWith('build-'))
      .map((name) => readFileSync(join(folder, '.builds', name, 'dist/made'), 'utf8'))
      .sort()

  it('stay as long as a process keeps them, and go with the next build', () => {
    const { path, remove } = temporaryFolder()
    build(path, '1')
    const first = realpathSync(join(path, 'dist'))
    const keeper = join(path, `.builds/kept-by-${process.pid}`)
    writeFileSync(keeper, '')
    build(path, '2')
    build(path, '3')
    expect(madeIn(path)).toEqual(['1', '2', '3'])
    expect(readFileSync(join(first, 'made'), 'utf8')).toBe('1')
    expect(readFileSync(join(path, 'dist/made'), 'utf8')).toBe('3')
    rmSync(keeper)
    build(path, '4')
    expect(madeIn(path)).toEqual(['4'])
    remove()
  })

  it('go with the next start as well', () => {
    const { path, remove } = temporaryFolder()
    build(path, '1')
    const keeper = join(path, `.builds/kept-by-${process.pid}`)
    writeFileSync(keeper, '')
    build(path, '2')
    rmSync(keeper)
    runIn(path, '--input-type=module', '--eval', `(await import(${JSON.stringify(BUILDS)})).keepBuilds()`)
    expect(madeIn(path)).toEqual(['2'])
    remove()
  })

  it('are kept by no process that has ended', () => {
    const { path, remove } = temporaryFolder()
    build(path, '1')
    const { pid } = spawnSync(execPath, ['--version'])
    writeFileSync(join(path, `.builds/kept-by-${pid}`), '')
    build(path, '2')
    expect(madeIn(path)).toEqual(['2'])
    remove()
  })

  it('may be a folder: that of a checkout from before there were links', () => {
    const { path, remove } = temporaryFolder()
    mkdirSync(join(path, 'dist'))
    writeFileSync(join(path, 'dist/made'), '0')
    build(path, '1')
    expect(readFileSync(join(path, 'dist/made'), 'utf8')).toBe('1')
    remove()
  })
})
