import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECKS } from '../../../web/oauth/checks.ts'
import { projectFiles } from '../../support/project-files.ts'

const ROOT = join(import.meta.dirname, '../../..')

describe('the checks of a login in the console', () => {
  it.each(Object.entries(CHECKS))('%s names an existing file', (_, { place }) => {
    expect(existsSync(join(ROOT, place))).toBe(true)
  })
})

it('no function of the service contains the attacks on a login', () => {
  const files = projectFiles(ROOT).filter((file) => /^(?:lib|functions|infra)\/.*\.ts$/.test(file))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('login-attacks.ts'))).toEqual([])
})
