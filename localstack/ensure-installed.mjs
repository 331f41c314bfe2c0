// Runs before `npm start` and `npm test`, on whatever node is installed: until it is done there is no other. Installs this
// package, or that in the folder which is named.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL(`../${argv[2] ?? '.'}/`, import.meta.url)

/** The lockfile that the installed packages come from; it goes away together with them. */
const STAMP = new URL('node_modules/.gatehouse-lockfile', FOLDER)

/** Standard output belongs to the script. */
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']

/** Development packages are wanted even where NODE_ENV is `production`. */
const INSTALL = ['ci', '--include=dev', '--ignore-scripts', ...QUIET]

/** Runs the scripts of the packages that it names. No npm before 11 knows `allowScripts`: those run all or none. */
const REBUILD = ['rebuild', '--no-ignore-scripts', ...QUIET]

const digest = createHash('sha256')
  .update(readFileSync(new URL('package-lock.json', FOLDER)))
  .digest('hex')

if (stamp() !== digest) {
  run(INSTALL)
  const allowed = allowedScripts()
  if (allowed.length > 0) run([...REBUILD, ...allowed])
  writeFileSync(STAMP, digest)
}

/** @param {readonly string[]} command of npm */
function run(command) {
  const { status } = spawnSync('npm', command, { cwd: fileURLToPath(FOLDER), stdio: ['ignore', 2, 2] })
  if (status !== 0) exit(status ?? 1)
}

/** The packages whose scripts may run. */
function allowedScripts() {
  const { allowScripts = {} } = JSON.parse(readFileSync(new URL('package.json', FOLDER), 'utf8'))
  return Object.keys(allowScripts).filter((name) => allowScripts[name])
}

function stamp() {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return undefined
  }
}
