// Runs before `npm start` and `npm test`, on any installed Node version: the right one is not there until this is done.
// Installs this package, or the one in the folder given as an argument.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import process, { argv, execPath, exit, kill, pid, stderr, version } from 'node:process'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL(`../${argv[2] ?? '.'}/`, import.meta.url)

/**
 * A copy of the lockfile that the installed packages come from; deleting the packages deletes it too. A script that is
 * started often compares the two itself (package.json), which takes no Node.
 */
const STAMP = new URL('node_modules/.gatehouse-lockfile', FOLDER)

const LOCKFILE = new URL('package-lock.json', FOLDER)

/** What npm itself writes when it has installed everything. */
const INSTALLED = new URL('node_modules/.package-lock.json', FOLDER)

/** Has the number of the process that installs. */
const LOCK = new URL('.installing', FOLDER)

/** From this version on, Node runs everything here as it is; an older one gets another beside it. */
const OWN = [24, 12]

/** The folder of the package that brings the other Node. */
const NODE = 'localstack/node'

/** Keeps npm quiet, because standard output belongs to the script that runs next. */
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']

/** Installs development packages even if NODE_ENV is `production`. */
const INSTALL = ['ci', '--include=dev', '--ignore-scripts', ...QUIET]

/**
 * Runs the install scripts of the named packages. npm before 11 does not know `allowScripts`: it runs all scripts or
 * none.
 */
const REBUILD = ['rebuild', '--no-ignore-scripts', ...QUIET]

const isCurrent = () => contentOf(STAMP) === contentOf(LOCKFILE)

if (!isCurrent()) {
  takeLock()
  process.once('exit', () => rmSync(LOCK, { force: true }))
  if (!isCurrent()) install()
}

function install() {
  const began = Date.now()
  if (!isComplete()) {
    tell(`Installing the packages of ${argv[2] ?? 'this project'} …`)
    run(INSTALL)
  }
  const allowed = allowedScripts()
  if (allowed.length > 0) run([...REBUILD, ...allowed])
  if (argv[2] === undefined) linkNode()
  copyFileSync(LOCKFILE, STAMP)
  tell(`packages${argv[2] ? ` of ${argv[2]}` : ''} ${Math.round((Date.now() - began) / 1000)} s`)
}

/** Gives this package's scripts the Node that they run under, the first one on their PATH. */
function linkNode() {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  const [ownMajor = 0, ownMinor = 0] = OWN
  const isEnough = major > ownMajor || (major === ownMajor && minor >= ownMinor)
  if (!isEnough) {
    tell(`Node.js ${version} is older than ${OWN.join('.')}: a newer one comes beside it.`)
    const { status } = spawnSync(execPath, [fileURLToPath(import.meta.url), NODE], { stdio: ['ignore', 2, 2] })
    if (status !== 0) exit(status ?? 1)
  }
  const link = new URL('node_modules/.bin/node', FOLDER)
  mkdirSync(new URL('.', link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(isEnough ? execPath : `../../${NODE}/node_modules/node/bin/node`, link)
}

/** Waits for another process that installs, unless that process has ended. */
function takeLock() {
  for (let looks = 0; ; looks++) {
    try {
      writeFileSync(LOCK, String(pid), { flag: 'wx' })
      return
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    if (!isAlive(Number(contentOf(LOCK)))) rmSync(LOCK, { force: true })
    else if (looks === 0) tell('Another process installs the packages: waiting for it …')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
}

/** @param {number} process */
function isAlive(process) {
  try {
    return process > 0 && kill(process, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** Whether `npm ci` has been run by hand, to its end, from this lockfile. What fits only other systems may be absent. */
function isComplete() {
  if (!existsSync(INSTALLED)) return false
  const present = packagesOf(INSTALLED)
  return Object.entries(packagesOf(LOCKFILE)).every(([path, { version, integrity, optional }]) => {
    const found = present[path]
    if (path === '' || (optional && found === undefined)) return true
    return found?.version === version && found?.integrity === integrity
  })
}

/** @param {URL} lockfile @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }>} */
function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages ?? {}
}

/** @param {readonly string[]} command npm's arguments */
function run(command) {
  const { status } = spawnSync('npm', command, { cwd: fileURLToPath(FOLDER), stdio: ['ignore', 2, 2] })
  if (status === 0) return
  tell(
    `npm ${command[0]} failed, for the reason above: repeat the command when the network is there, or set a mirror (npm config set registry URL).`,
  )
  exit(status ?? 1)
}

/** The packages whose install scripts may run. */
function allowedScripts() {
  const { allowScripts = {} } = JSON.parse(readFileSync(new URL('package.json', FOLDER), 'utf8'))
  return Object.keys(allowScripts).filter((name) => allowScripts[name])
}

/** @param {string} text */
function tell(text) {
  stderr.write(`${text}\n`)
}

/** @param {URL} file */
function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
