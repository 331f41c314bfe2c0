#!/usr/bin/env node
// `npx gatehouse <command>`: runs on any installed Node version, and starts the command on the project's own.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process, { argv, execPath, exit, stderr, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import { nearestName } from './nearest.mjs'

/** The commands by their name: the file, its first arguments, and what it does. */
const COMMANDS = {
  start: { file: 'start.ts', first: [], what: 'start the whole system on this machine' },
  dev: { file: 'start.ts', first: ['--dev'], what: 'the same, and rebuild what changes' },
  send: { file: 'commands/send.ts', first: [], what: 'send signed webhooks as a provider does' },
  seed: { file: 'commands/seed.ts', first: [], what: 'store a day of sample events' },
  token: { file: 'commands/token.ts', first: [], what: 'print a JWT' },
  replay: { file: 'commands/replay.ts', first: [], what: 'retry failed events, or deliver events again' },
  listen: { file: 'commands/listen.ts', first: [], what: 'forward events to a server on this machine' },
  forget: { file: 'commands/forget.ts', first: [], what: 'find and delete payloads that hold a text' },
  explain: { file: 'commands/explain.ts', first: [], what: 'say why a recorded call is refused' },
  vectors: { file: 'commands/vectors.ts', first: [], what: 'check known signatures' },
  audit: { file: 'commands/audit.ts', first: [], what: 'list the audit trail' },
  admin: { file: 'commands/admin.ts', first: [], what: 'create the first admin of a deployed stage' },
  provision: { file: 'commands/provision.ts', first: [], what: 'create tables and queues in another emulator' },
  check: {
    file: 'commands/check.ts',
    first: [],
    what: 'check the configuration, the handlers and the files of stages',
  },
  doctor: { file: 'doctor.mjs', first: [], what: 'find what prevents a start' },
  preflight: { file: 'commands/check.ts', first: ['preflight'], what: 'find what would prevent a deployment' },
  verify: { file: 'commands/check.ts', first: ['verify'], what: 'test a deployed stage from outside' },
}

const [given = '', ...rest] = argv.slice(2)

if (['', 'help', '--help', '-h'].includes(given)) {
  const rows = Object.entries(COMMANDS).map(([name, { what }]) => `  ${name.padEnd(10)} ${what}\n`)
  stdout.write(
    `gatehouse <command> [options]\n\n${rows.join('')}\n  gatehouse <command> --help shows the options, gatehouse --version the version.\n`,
  )
  exit(0)
}
if (given === '--version') {
  stdout.write(`${JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version}\n`)
  exit(0)
}
if (!Object.hasOwn(COMMANDS, given)) {
  const meant = nearestName(given, Object.keys(COMMANDS))
  const advice = meant === undefined ? 'gatehouse --help lists all commands' : `did you mean ${meant}?`
  stderr.write(`There is no command ${given}: ${advice}\n`)
  exit(2)
}

const { file, first } = COMMANDS[/** @type {keyof typeof COMMANDS} */ (given)]
const fileOf = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

// The doctor reports a broken installation, so it must run without one.
if (given !== 'doctor') {
  const { status } = spawnSync(execPath, [fileOf('ensure-installed.mjs')], { stdio: ['ignore', 2, 2] })
  if (status !== 0) exit(status ?? 1)
}
const node = given === 'doctor' ? execPath : fileOf('../node_modules/.bin/node')
const child = spawn(node, [fileOf(file), ...first, ...rest], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: fileOf('../node_modules/.cache/gatehouse'), ...process.env },
})

// The terminal sends the signal to the command as well: this process ends when the command has ended.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  stderr.write(`${error.message}\n`)
  exit(1)
})
child.on('exit', (code, signal) => exit(code ?? SIGNALS[/** @type {'SIGINT'} */ (signal)] ?? 1))

/** How a shell names the end of a process by a signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 }
