import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { repositoryOfProject } from '../support/release.ts'

const VERSION = manifest.version

let project: ReturnType<typeof repositoryOfProject>
beforeAll(() => {
  project = repositoryOfProject()
})
afterAll(() => project.remove())

const read = (file: string) => readFileSync(join(project.path, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(project.path, file), text)

it('a release is a version, a dated section of the changelog, a commit and a tag that contains the section', () => {
  // The version that was built: its bundles are not made again.
  project.run('npm', 'version', '0.0.9', '--no-git-tag-version')
  project.git('commit', '--quiet', '--all', '--message', 'chore: an older version')
  expect(project.release()).toEqual({ status: 0, said: expect.stringContaining(`v${VERSION} is a commit and a tag`) })
  expect(['package.json', 'package-lock.json'].map((file) => JSON.parse(read(file)).version)).toEqual([
    VERSION,
    VERSION,
  ])
  expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${VERSION} - \\d{4}-\\d\\d-\\d\\d$`, 'm'))
  expect(project.git('log', '-1', '--format=%s').trim()).toBe(`chore: release ${VERSION}`)
  expect(project.git('tag', '--list', '--format=%(contents)', `v${VERSION}`)).toMatch(/^### Added$/m)
  expect(project.git('status', '--porcelain')).toBe('')
})

it('nothing is released twice, with uncommitted changes, without an entry, or with an unknown option', () => {
  expect(project.release()).toEqual({ status: 1, said: expect.stringMatching(/^Begin CHANGELOG\.md with a section/) })
  write('CHANGELOG.md', '# Changelog\n\n## 9.0.0\n')
  expect(project.release()).toEqual({ status: 1, said: 'There are changes that no commit has.\n' })
  project.git('commit', '--quiet', '--all', '--message', 'docs: nothing')
  expect(project.release()).toEqual({ status: 1, said: 'CHANGELOG.md lists no change of 9.0.0.\n' })
  expect(project.release('minor').status).toBe(2)
})

it('a release that fails half-way leaves no changes', () => {
  write('CHANGELOG.md', '# Changelog\n\n## 9.0.0\n\n- all\n')
  write('infra/pack.ts', "throw new Error('no space left')\n")
  project.git('commit', '--quiet', '--all', '--message', 'chore: a full disk')
  expect(project.release()).toEqual({ status: 1, said: expect.stringContaining('no space left') })
  expect([project.git('status', '--porcelain'), project.git('tag', '--list', 'v9.0.0')]).toEqual(['', ''])
})
