/**
 * `npm run release`: puts the version that the newest section of CHANGELOG.md names into `release/` (package, checksum, SBOM
 * and notes), and makes its commit and tag. With `--dry-run` it makes the files only.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import process, { argv, execPath, exit, stderr, stdout } from 'node:process'

const PLACE = 'release'

const [option] = argv.slice(2)
if (option !== undefined && option !== '--dry-run') end('Usage: npm run release [-- --dry-run]', 2)
if (run('git', 'status', '--porcelain') !== '') end('There are changes that no commit has.')
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const [, version = '', notes = ''] = changelog.split(/^## (.*)\n/m)
if (!/^\d+\.\d+\.\d+$/.test(version))
  end('Begin CHANGELOG.md with a section for the next version, without a date: ## 1.2.3')
if (!notes.includes('\n- ')) end(`CHANGELOG.md lists no change of ${version}.`)

// What fails half-way leaves the tree as clean as it was.
process.once('exit', (code) => {
  if (option === '--dry-run' || code !== 0) run('git', 'restore', '.')
})
run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version')
const day = new Date().toISOString().slice(0, 10)
writeFileSync('CHANGELOG.md', changelog.replace(`## ${version}\n`, `## ${version} - ${day}\n`))
// From now on this is the released gRPC contract: CONTRIBUTING.md.
run('quality/node_modules/.bin/buf', 'build', 'proto', '--exclude-source-info', '-o', 'proto/released.binpb')
run(execPath, 'infra/pack.ts', PLACE)
const file = `gatehouse-${version}`
const checksum = createHash('sha256')
  .update(readFileSync(`${PLACE}/${file}.tgz`))
  .digest('hex')
writeFileSync(`${PLACE}/${file}.tgz.sha256`, `${checksum}  ${file}.tgz\n`)
writeFileSync(
  `${PLACE}/${file}.cdx.json`,
  run('npm', 'sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'),
)
writeFileSync(`${PLACE}/${file}.md`, notes.trimStart())
if (option === '--dry-run') {
  stdout.write(`${PLACE}/ has what ${version} would consist of. No commit and no tag was made.\n`)
} else {
  run('git', 'commit', '--quiet', '--all', '--message', `chore: release ${version}`)
  run('git', 'tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `${version}\n${notes}`)
  stdout.write(`v${version} is a commit and a tag here. git push --follow-tags publishes it.\n`)
}

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 })
}

function end(message: string, code = 1): never {
  stderr.write(`${message}\n`)
  exit(code)
}
