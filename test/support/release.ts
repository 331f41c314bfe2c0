import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { cwd, env, execPath } from 'node:process'
import { copyProject } from './copy-project.ts'
import { temporaryFolder } from './stack.ts'

/** A repository with this project in its only commit, in which releases are made. */
export function repositoryOfProject() {
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
  const options = { cwd: copy.path, env: settings, encoding: 'utf8' } as const
  const run = (command: string, ...args: readonly string[]) => execFileSync(command, args, options)
  const git = (...args: readonly string[]) => run('git', ...args)
  copyProject(cwd(), copy.path)
  // The bundles of the same sources are not made again.
  mkdirSync(join(copy.path, '.builds'))
  for (const link of ['dist', '.builds/local'])
    if (existsSync(link)) symlinkSync(realpathSync(link), join(copy.path, link))
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'feat: all')
  return {
    path: copy.path,
    run,
    git,
    release(...args: readonly string[]) {
      const { status, stdout, stderr } = spawnSync(execPath, ['infra/release.ts', ...args], options)
      return { status, said: stdout + stderr }
    },
    remove() {
      copy.remove()
      home.remove()
    },
  }
}
