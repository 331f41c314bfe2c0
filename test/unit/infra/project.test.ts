import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../support/stack.ts'

let project: string

beforeEach(() => {
  const { path, remove } = temporaryFolder()
  project = join(realpathSync(path), 'packages/shop [1]')
  mkdirSync(join(project, 'handlers/demo'), { recursive: true })
  vi.stubEnv('GATEHOUSE_PROJECT', project)
  vi.resetModules()
  return () => {
    vi.unstubAllEnvs()
    // Files of the same worker would get the modules of this project.
    vi.resetModules()
    remove()
  }
})

const load = () => import('../../../infra/project.ts')

describe('a project in a folder whose name is a pattern', () => {
  it('has its files found, and named as the team sees them', async () => {
    const file = join(project, 'handlers/demo/greet.ts')
    writeFileSync(file, '')
    const { globInProject, shownPath } = await load()
    expect(globInProject('handlers/**/*.ts')).toEqual([file])
    expect(shownPath(file)).toBe('handlers/demo/greet.ts')
  })

  it.each(['package-lock.json', 'pnpm-lock.yaml'])('has the %s of its workspace', async (name) => {
    const { lockfiles } = await load()
    const shared = join(project, '../..', name)
    writeFileSync(shared, '')
    expect(lockfiles()).toEqual([shared])
    writeFileSync(join(project, name), '')
    expect(lockfiles()).toEqual([join(project, name)])
  })

  it('is where the deployment engine works, which has begun with the folder of Gatehouse', async () => {
    const [core, other] = [{ packagePath: '/engine/.serverless' }, { packagePath: '/given' }]
    const engine = {
      serviceDir: '/engine',
      pluginManager: { plugins: [core, other, {}] },
      configSchemaHandler: { validateConfig: async () => {} },
    }
    const { default: Functions } = await import('../../../infra/plugin.mjs')
    new Functions(engine as never, {}, { log: { notice: () => {} } })
    expect(engine.serviceDir).toBe(join(project, '.gatehouse'))
    expect([core, other]).toEqual([{ packagePath: join(project, '.gatehouse/.serverless') }, { packagePath: '/given' }])
  })
})
