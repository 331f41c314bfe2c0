import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd, env, execPath } from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyProject } from '../support/copy-project.ts'
import { temporaryFolder } from '../support/stack.ts'

const copy = temporaryFolder()
const home = temporaryFolder()
const settings = {
  PATH: `${join(cwd(), 'node_modules/.bin')}:${env['PATH']}`,
  HOME: home.path,
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Ada'],
      [`GIT_${who}_EMAIL`, 'ada@example.com'],
    ]),
  ),
}
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: copy.path, env: settings, encoding: 'utf8' })
const read = (file: string) => readFileSync(join(copy.path, file), 'utf8')

function release(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(execPath, ['infra/release.ts', ...args], {
    cwd: copy.path,
    env: settings,
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

beforeAll(() => {
  copyProject(cwd(), copy.path)
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'feat: all')
})

afterAll(() => {
  copy.remove()
  home.remove()
})

it('a release consists of a version, a section of the changelog, a commit and a tag that contains the section', () => {
  const [major = 0, minor = 0] = JSON.parse(read('package.json')).version.split('.').map(Number)
  const version = `${major}.${minor + 1}.0`
  const before = read('CHANGELOG.md')
  expect(release('minor')).toEqual({ status: 0, said: expect.stringContaining(`v${version} is a commit and a tag`) })
  expect([JSON.parse(read('package.json')).version, JSON.parse(read('package-lock.json')).version]).toEqual([
    version,
    version,
  ])
  const day = new RegExp(`^## Unreleased\\n\\n## ${version} - \\d{4}-\\d\\d-\\d\\d\\n`, 'm')
  expect(read('CHANGELOG.md')).toMatch(day)
  expect(read('CHANGELOG.md').replace(day, '## Unreleased\n')).toBe(before)
  expect(git('log', '-1', '--format=%s').trim()).toBe(`chore: release ${version}`)
  expect(git('tag', '--list', '--format=%(contents)', `v${version}`)).toMatch(/^### Added$/m)
  expect(git('status', '--porcelain')).toBe('')
})

it('no release is made twice, with uncommitted changes, or with an unknown step', () => {
  expect(release('minor')).toEqual({ status: 1, said: 'CHANGELOG.md says of nothing that it is unreleased.\n' })
  writeFileSync(join(copy.path, 'new'), '')
  expect(release('minor')).toEqual({ status: 1, said: 'There are changes that no commit has.\n' })
  expect(release('1.0.0').status).toBe(2)
})
