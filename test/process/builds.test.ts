import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process, { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DIST, type Link, LOCAL_DIST } from '../../infra/builds.ts'
import { localEnvironment, temporaryFolder } from '../support/stack.ts'

/** Runs a module of the project, or code that loads one, in a folder. */
function runIn(folder: string, ...parameters: readonly string[]): void {
  const { status, stderr } = spawnSync(execPath, parameters, {
    cwd: folder,
    env: localEnvironment({}),
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
}

describe('the earlier builds', () => {
  const BUILDS = pathToFileURL(resolve('infra/builds.ts')).href

  /** Makes a build that holds one file, in a process of its own. */
  function build(folder: string, content: string, link: Link = DIST): void {
    const script = `
      import { mkdirSync, writeFileSync } from 'node:fs'
      import { publishBuild } from ${JSON.stringify(BUILDS)}
      await publishBuild(${JSON.stringify(link)}, async (folder) => writeFileSync(folder + '/made', ${JSON.stringify(content)}))`
    runIn(folder, '--input-type=module', '--eval', script)
  }

  const madeIn = (folder: string) =>
    readdirSync(join(folder, '.builds'))
      .filter((name) => name.startsWith('build-'))
      .map((name) => readFileSync(join(folder, '.builds', name, 'dist/made'), 'utf8'))
      .sort()

  it('stay as long as a process keeps them, and are removed by the next build, but for the last one', () => {
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
    expect(madeIn(path)).toEqual(['3', '4'])
    remove()
  })

  it('stay while what is deployed, or what a local run serves, is built from other sources', () => {
    const { path, remove } = temporaryFolder()
    build(path, '1')
    build(path, '2', LOCAL_DIST)
    build(path, '3', LOCAL_DIST)
    build(path, '4', LOCAL_DIST)
    expect(madeIn(path)).toEqual(['1', '3', '4'])
    expect([DIST, LOCAL_DIST].map((link) => readFileSync(join(path, link, 'made'), 'utf8'))).toEqual(['1', '4'])
    remove()
  })

  it('are removed by the next start as well', () => {
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

  it('are not kept by a process that has ended', () => {
    const { path, remove } = temporaryFolder()
    build(path, '1')
    const { pid } = spawnSync(execPath, ['--version'])
    writeFileSync(join(path, `.builds/kept-by-${pid}`), '')
    build(path, '2')
    build(path, '3')
    expect(madeIn(path)).toEqual(['2', '3'])
    remove()
  })
})
