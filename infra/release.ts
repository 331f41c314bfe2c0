import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { argv, exit, stderr, stdout } from 'node:process'

const USAGE = 'npm run release -- patch | minor | major'
const UNRELEASED = '## Unreleased\n'

const [kind = ''] = argv.slice(2)
if (!['patch', 'minor', 'major'].includes(kind)) end(`Usage: ${USAGE}`, 2)
if (run('git', 'status', '--porcelain') !== '') end('There are changes that no commit has.')
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const [before = '', after = ''] = changelog.split(UNRELEASED)
const [changes = ''] = after.split(/^## /m)
if (!changes.includes('\n- ')) end('CHANGELOG.md says of nothing that it is unreleased.')

run('npm', 'version', kind, '--no-git-tag-version')
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
const day = new Date().toISOString().slice(0, 10)
writeFileSync('CHANGELOG.md', `${before}${UNRELEASED}\n## ${version} - ${day}\n${after}`)
// From now on this is the released gRPC contract: docs/recipes.md.
run('quality/node_modules/.bin/buf', 'build', 'proto', '--exclude-source-info', '-o', 'proto/released.binpb')
run('git', 'commit', '--quiet', '--all', '--message', `chore: release ${version}`)
run('git', 'tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `${version}\n${changes}`)
stdout.write(`v${version} is a commit and a tag here. git push --follow-tags makes it a release.\n`)

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function end(message: string, code = 1): never {
  stderr.write(`${message}\n`)
  exit(code)
}
