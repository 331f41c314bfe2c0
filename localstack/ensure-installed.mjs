// Runs before `npm start` and `npm test`, on any installed Node version: the right one is not there until this is done.
// Installs this package, or the one in the folder given as an argument.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL(`../${argv[2] ?? '.'}/`, import.meta.url)

/**
 * A copy of the lockfile that the installed packages come from; deleting the packages deletes it too. A script that is
 * started often compares the two itself (package.json), which takes no Node.
 */
const STAMP = new URL('node_modules/.gatehouse-lockfile', FOLDER)

/** Keeps npm quiet, because standard output belongs to the script that runs next. */
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']

/** Installs development packages even if NODE_ENV is `production`. */
const INSTALL = ['ci', '--include=dev', '--ignore-scripts', ...QUIET]

/**
 * Runs the install scripts of the named packages. npm before 11 does not know `allowScripts`: it runs all scripts or
 * none.
 */
const REBUILD = ['rebuild', '--no-ignore-scripts', ...QUIET]

const LOCKFILE = new URL('package-lock.json', FOLDER)

if (contentOf(STAMP) !== contentOf(LOCKFILE)) {
  run(INSTALL)
  const allowed = allowedScripts()
  if (allowed.length > 0) run([...REBUILD, ...allowed])
  copyFileSync(LOCKFILE, STAMP)
}

/** @param {readonly string[]} command npm's arguments */
function run(command) {
  const { status } = spawnSync('npm', command, { cwd: fileURLToPath(FOLDER), stdio: ['ignore', 2, 2] })
  if (status !== 0) exit(status ?? 1)
}

/** The packages whose install scripts may run. */
function allowedScripts() {
  const { allowScripts = {} } = JSON.parse(readFileSync(new URL('package.json', FOLDER), 'utf8'))
  return Object.keys(allowScripts).filter((name) => allowScripts[name])
}

/** @param {URL} file */
function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
