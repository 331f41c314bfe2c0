import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd, execPath } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METAFILES, type Metafiles } from '../../infra/build.ts'
import { NOTICES } from '../../infra/supply/notices.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

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
    const options = { cwd: copy.path, env: localEnvironment({}), encoding: 'utf8' } as const
    const { status, stderr } = spawnSync(execPath, ['infra/build.ts'], options)
    expect(status, stderr).toBe(0)
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

  it('keeps the parts of a loaded function that it loads later', async () => {
    expect(await loginAs('ldapuser')).toBe(200)
  })

  it('keeps a function that is removed from the sources', async () => {
    const headers = { authorization: `Basic ${btoa('user:user-demo')}` }
    expect((await fetch(`${base()}/api/user/secure`, { headers })).status).toBe(200)
  })

  it('puts no file of the former build into a package', () => {
    const bundles: Metafiles = JSON.parse(readFileSync(join(copy.path, METAFILES), 'utf8'))
    const made = Object.values(bundles).flatMap(({ outputs }) => Object.keys(outputs))
    const packed = globSync('dist/{api,webhooks,login,console,docs,jobs,fallback,adapter}/**/*.*', { cwd: copy.path })
    const known = (file: string) => made.includes(file) || file.endsWith(`/${NOTICES}`) || file.endsWith('.gz')
    expect(packed.length).toBeGreaterThan(100)
    expect(packed.filter((file) => !known(file))).toEqual([])
    expect(packed.filter((file) => file.includes('user-secure'))).toEqual([])
  })
})
