#!/usr/bin/env node
// `npx gatehouse <command>`: runs on any installed Node version. In a checkout it starts the command on the checkout's own.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process, { argv, cwd, env, execPath, exit, stderr, stdout, version } from 'node:process'
import { nearestName } from './nearest.mjs'

/**
 * The commands by their name: the module, its first arguments, and what it does. `isAnywhere`: outside of a project, too.
 * @type {Readonly<Record<string, { readonly file: string, readonly first?: readonly string[], readonly what: string, readonly isAnywhere?: true }>>}
 */
const COMMANDS = {
  init: { file: 'commands/init', what: 'write what a repository of your own needs into this folder', isAnywhere: true },
  start: { file: 'start', what: 'start the whole system on this machine' },
  dev: { file: 'start', first: ['--dev'], what: 'the same, and rebuild what changes' },
  test: { file: 'commands/tool', first: ['test'], what: 'run the tests of the handlers' },
  send: { file: 'commands/send', what: 'send signed webhooks as a provider does' },
  'try-receiver': { file: 'commands/try-receiver', what: 'test a receiver of webhooks', isAnywhere: true },
  seed: { file: 'commands/seed', what: 'store a day of sample events' },
  token: { file: 'commands/token', what: 'print a JWT' },
  replay: { file: 'commands/replay', what: 'retry failed events, or deliver events again' },
  listen: { file: 'commands/listen', what: 'forward events to a server on this machine' },
  forget: { file: 'commands/forget', what: 'find and delete payloads that hold a text' },
  report: { file: 'commands/report', what: 'print what a client did below the faults of the lab' },
  explain: { file: 'commands/explain', what: 'say why a recorded call is refused' },
  vectors: { file: 'commands/vectors', what: 'check known signatures', isAnywhere: true },
  audit: { file: 'commands/audit', what: 'list the audit trail' },
  admin: { file: 'commands/admin', what: 'create the first admin of a deployed stage' },
  provision: { file: 'commands/provision', what: 'create tables and queues in another emulator' },
  check: { file: 'commands/check', what: 'check the configuration, the handlers and the files of stages' },
  doctor: { file: 'doctor', what: 'find what prevents a start' },
  package: { file: 'commands/tool', first: ['package'], what: 'make what a stage is deployed from' },
  preflight: { file: 'commands/check', first: ['preflight'], what: 'find what would prevent a deployment' },
  deploy: { file: 'commands/tool', first: ['deploy'], what: 'deploy a stage' },
  rollback: { file: 'commands/tool', first: ['rollback'], what: 'put the former package back on a stage' },
  verify: { file: 'commands/check', first: ['verify'], what: 'test a deployed stage from outside' },
  remove: { file: 'commands/tool', first: ['remove'], what: 'remove a stage and what it does not keep' },
}

const ENGINE = join(import.meta.dirname, '..')
/** A checkout has its sources, the package what is compiled from them. */
const isPackaged = !existsSync(join(import.meta.dirname, 'start.ts'))
/** A checkout is both; with the package, the project is the folder of the call. */
const project = isPackaged ? cwd() : ENGINE

/** As in infra/project.ts. */
const CACHE = isPackaged ? join(project, '.gatehouse/cache') : join(ENGINE, 'node_modules/.cache/gatehouse')

const [first = '', ...others] = argv.slice(2)
const [given = first, ...rest] = first === 'help' && others.length > 0 ? [...others, '--help'] : [first, ...others]

if (['', 'help', '--help', '-h'].includes(given)) {
  const rows = Object.entries(COMMANDS).map(([name, { what }]) => `  ${name.padEnd(13)} ${what}\n`)
  stdout.write(
    `gatehouse <command> [options]\n\n${rows.join('')}\n  gatehouse <command> --help shows the options, gatehouse --version the version.\n`,
  )
  exit(0)
}
if (given === '--version') {
  stdout.write(`${JSON.parse(readFileSync(join(ENGINE, 'package.json'), 'utf8')).version}\n`)
  exit(0)
}
const command = Object.hasOwn(COMMANDS, given) ? COMMANDS[given] : undefined
if (!command) {
  const meant = nearestName(given, Object.keys(COMMANDS))
  const advice = meant === undefined ? 'gatehouse --help lists all commands' : `did you mean ${meant}?`
  end(`There is no command ${given}: ${advice}`, 2)
}
if (!command.isAnywhere && !isProject())
  end(`${project} is no project of Gatehouse: npx gatehouse init makes one of a folder`, 2)

// The doctor reports a broken installation, so it must run without one.
const isInstalled = isPackaged || given === 'doctor'
if (isPackaged && !isNewEnough())
  end(`Gatehouse needs Node 24.12, and this is ${version}: install it, or npm install -D node@24 here`, 1)
if (!isInstalled) {
  const installer = join(import.meta.dirname, 'ensure-installed.mjs')
  const { status } = spawnSync(execPath, [installer], { stdio: ['ignore', 2, 2] })
  if (status !== 0) exit(status ?? 1)
}
const node = isInstalled ? execPath : join(ENGINE, 'node_modules/.bin/node')
const child = spawn(node, [moduleOf(command.file), ...(command.first ?? []), ...rest], {
  stdio: 'inherit',
  env: { ...(!command.isAnywhere && { NODE_COMPILE_CACHE: CACHE }), ...env, ...(isPackaged && ofProject()) },
})

// The terminal sends the signal to the command as well: this process ends when the command has ended.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal))
// npm does not always pass a signal on: what it started ends with it.
const { ppid } = process
if (env['npm_lifecycle_event']) setInterval(() => process.ppid !== ppid && child.kill('SIGTERM'), 500).unref()
child.on('error', ({ message }) => end(message, 1))
child.on('exit', (code, signal) => exit(code ?? SIGNALS[/** @type {'SIGINT'} */ (signal)] ?? 1))

/** How a shell names the end of a process by a signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 }

/** @param {string} name below this folder, without its ending */
function moduleOf(name) {
  const path = join(import.meta.dirname, name)
  return ['.mjs', '.ts', '.js'].map((ending) => `${path}${ending}`).find(existsSync) ?? path
}

/** Whether the folder belongs to a team: it has its configuration or its code, or depends on Gatehouse. */
function isProject() {
  if (!isPackaged || ['gatehouse.config.ts', 'handlers'].some((name) => existsSync(join(project, name)))) return true
  const manifest = join(project, 'package.json')
  return existsSync(manifest) && /"gatehouse"\s*:/.test(readFileSync(manifest, 'utf8'))
}

/** The folder of the team, for a command that works in the engine's. */
function ofProject() {
  const { DATA_DIR } = env
  return {
    GATEHOUSE_PROJECT: realpathSync(project),
    DATA_DIR: DATA_DIR === 'memory' ? DATA_DIR : resolve(project, DATA_DIR || '.data'),
  }
}

function isNewEnough() {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 12)
}

/**
 * @param {string} message
 * @param {number} code
 * @returns {never}
 */
function end(message, code) {
  stderr.write(`${argv.includes('--json') ? JSON.stringify({ error: message }) : message}\n`)
  exit(code)
}
