import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd, env, execPath } from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { copyProject } from '../support/copy-project.ts'
import { temporaryFolder } from '../support/stack.ts'

const VERSION = manifest.version

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
  // The bundles of the same sources are not made again.
  mkdirSync(join(copy.path, '.builds'))
  for (const link of ['dist', '.builds/local'])
    if (existsSync(link)) symlinkSync(realpathSync(link), join(copy.path, link))
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'feat: all')
})

afterAll(() => {
  copy.remove()
  home.remove()
})

it('a dry run makes the package, its checksum, the SBOM and the notes, and changes nothing else', () => {
  expect(release('--dry-run')).toEqual({ status: 0, said: expect.stringContaining('No commit and no tag was made.') })
  expect(git('status', '--porcelain')).toBe('')
  expect(git('tag', '--list')).toBe('')
  const place = join(copy.path, 'release')
  expect(readdirSync(place).toSorted()).toEqual(
    ['.cdx.json', '.md', '.tgz', '.tgz.sha256'].map((end) => `gatehouse-${VERSION}${end}`),
  )
  expect(
    execFileSync('sha256sum', ['--check', `gatehouse-${VERSION}.tgz.sha256`], { cwd: place, encoding: 'utf8' }),
  ).toMatch(/: OK$/m)
  const { components } = JSON.parse(read(`release/gatehouse-${VERSION}.cdx.json`)) as { components: { name: string }[] }
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['jose', 'openid-client', 'ldapts']))
})

it('a release is a version, a dated section of the changelog, a commit and a tag that contains the section', () => {
  // The version that was built: its bundles are not made again.
  execFileSync('npm', ['version', '0.0.9', '--no-git-tag-version'], { cwd: copy.path, env: settings })
  git('commit', '--quiet', '--all', '--message', 'chore: an older version')
  expect(release()).toEqual({ status: 0, said: expect.stringContaining(`v${VERSION} is a commit and a tag`) })
  expect(['package.json', 'package-lock.json'].map((file) => JSON.parse(read(file)).version)).toEqual([
    VERSION,
    VERSION,
  ])
  expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${VERSION} - \\d{4}-\\d\\d-\\d\\d$`, 'm'))
  expect(git('log', '-1', '--format=%s').trim()).toBe(`chore: release ${VERSION}`)
  expect(git('tag', '--list', '--format=%(contents)', `v${VERSION}`)).toMatch(/^### Added$/m)
  expect(git('status', '--porcelain')).toBe('')
})

it('nothing is released twice, with uncommitted changes, without an entry, or with an unknown option', () => {
  expect(release()).toEqual({ status: 1, said: expect.stringMatching(/^Begin CHANGELOG\.md with a section/) })
  writeFileSync(join(copy.path, 'CHANGELOG.md'), '# Changelog\n\n## 9.0.0\n')
  expect(release()).toEqual({ status: 1, said: 'There are changes that no commit has.\n' })
  git('commit', '--quiet', '--all', '--message', 'docs: nothing')
  expect(release()).toEqual({ status: 1, said: 'CHANGELOG.md lists no change of 9.0.0.\n' })
  expect(release('minor').status).toBe(2)
})

it('a release that fails half-way leaves no changes', () => {
  writeFileSync(join(copy.path, 'CHANGELOG.md'), '# Changelog\n\n## 9.0.0\n\n- all\n')
  writeFileSync(join(copy.path, 'infra/pack.ts'), "throw new Error('no space left')\n")
  git('commit', '--quiet', '--all', '--message', 'chore: a full disk')
  expect(release()).toEqual({ status: 1, said: expect.stringContaining('no space left') })
  expect([git('status', '--porcelain'), git('tag', '--list', 'v9.0.0')]).toEqual(['', ''])
})
