import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process, { env } from 'node:process'
import { hasBus } from '../../../infra/deliver/stage.ts'
import { type Finding, failing, passed, warn } from '../../../infra/finding.ts'
import { ENGINE, isPackaged } from '../../../infra/project.ts'
import { configuredTeam } from '../../../infra/team-config.ts'
import { destinationsOf } from '../../../lib/deliver/configured/destinations.ts'
import { ConfigError, type Environment, loadConfig } from '../../../lib/runtime/config.ts'
import { catalogFrom } from '../../../lib/webhooks/sources/catalog.ts'
import { askAt } from '../../operator/api-client.ts'
import { profileAt } from '../../operator/operator.ts'
import { localSettings, readSettings } from '../../settings.ts'
import { type DynamoDbEngine, hasJdk, needsJdk } from '../../stack/emulators/dynamodb.ts'
import { httpAddress, wantedPorts } from '../../stack/environment.ts'
import { canConnect } from '../../stack/parts.ts'
import { isFree, MAXIMUM_OFFSET, type PortName, portsAt, purposeOf } from '../../stack/ports.ts'

/** What is in the way of `npm start` and `npm test`. */
export async function checkMachine(): Promise<readonly Finding[]> {
  const { PORT_OFFSET: offset, DATA_DIR: folder, EMULATOR: engine } = soundSettings(env)
  // A wrong configuration is among the settings.
  const team = await configuredTeam('local').catch(() => ({}))
  return [
    passed('Node.js', process.version),
    ...(isPackaged ? [] : [checkPackages(textOf('node_modules/.gatehouse-lockfile'), textOf('package-lock.json'))]),
    ...(await checkSettings(env)),
    checkDataFolder(folder),
    ...(await checkDirectory(env)),
    ...(await checkRun(env, offset, hasBus(destinationsOf(team, 'local')))),
    ...toolsOf(env, engine),
  ]
}

/** @param installed the lockfile that the packages were installed from */
export function checkPackages(installed: string | undefined, wanted: string | undefined): Finding {
  return installed === wanted
    ? passed('packages', 'as in package-lock.json')
    : warn('packages', 'not those of package-lock.json', 'npm start installs them')
}

/** The errors that `npm start` would report in the settings, one finding per wrong setting. */
export async function checkSettings(given: Environment): Promise<readonly Finding[]> {
  try {
    const team = await configuredTeam('local')
    readSettings(given, catalogFrom(team), destinationsOf(team, 'local'))
    return [passed('settings', 'valid')]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const remedy = 'correct or unset it; docs/settings.md lists all settings'
    return error.problems.map((problem) => failing('settings', problem, remedy))
  }
}

/** Whether logins work with the directory that the settings name. */
export async function checkDirectory(given: Environment): Promise<readonly Finding[]> {
  if (!given['LDAP_URL']) return []
  const { directoryProblems } = await import('../../stack/directory/problems.ts')
  const problems = await directoryProblems(given)
  const remedy = 'docs/guide/choose-authentication.md, A directory'
  if (problems.length === 0) return [passed('directory', 'shows users, their ids and groups')]
  return problems.map((problem) => failing('directory', problem, remedy))
}

/** Tries out whether data can be kept: in the folder, or in the nearest one in which it will be created. */
export function checkDataFolder(setting: string, attempt = makeAndRemove): Finding {
  if (setting === 'memory') return passed('data folder', 'none, as DATA_DIR says')
  const folder = resolve(setting)
  try {
    attempt(nearest(folder))
    return passed('data folder', folder)
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    const remedy = 'make it writable for you, or name another one in DATA_DIR'
    return failing('data folder', `${folder} cannot be written (${code})`, remedy)
  }
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder))
}

function makeAndRemove(folder: string): void {
  rmdirSync(mkdtempSync(join(folder, '.gatehouse-')))
}

/** The settings that the other checks use, as if unset if one is wrong: that has a line of its own. */
function soundSettings(given: Environment) {
  const { PORT_OFFSET, DATA_DIR, EMULATOR } = localSettings
  const settings = { PORT_OFFSET, DATA_DIR, EMULATOR }
  try {
    return loadConfig(settings, [], given)
  } catch {
    return loadConfig(settings, [], {})
  }
}

function textOf(file: string): string | undefined {
  const path = join(ENGINE, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** The tools that a machine may lack; in CI none. Most are for the tests of Gatehouse itself. */
function toolsOf(given: Environment, engine: DynamoDbEngine): readonly Finding[] {
  const isCi = Boolean(given['CI'])
  const has = (...names: readonly string[]) => haveCommands(given, ...names)
  const jdk = tool('JDK', hasJdk(), 'DynamoDB Local', 'default-jdk-headless', isCi || needsJdk(engine))
  if (isPackaged) return [jdk]
  return [
    jdk,
    tool('OpenLDAP', has('slapd', 'slapadd', 'ldapwhoami'), 'the tests of the directory', 'slapd ldap-utils', isCi),
    tool('Chromium', findChromium(given) !== undefined, 'the tests in a browser', 'chromium', isCi),
    tool('openssl', has('openssl'), 'the tests of TLS', 'openssl', isCi),
    tool('curl', has('curl'), 'the examples of the documentation', 'curl', isCi),
  ]
}

/** @param packages Debian's @param isNeeded whether nothing works without it */
export function tool(check: string, isThere: boolean, use: string, packages: string, isNeeded: boolean): Finding {
  if (isThere) return passed(check, `for ${use}`)
  return (isNeeded ? failing : warn)(check, `missing, for ${use}`, `apt-get install ${packages}`)
}

/** Whether all programs are there; Debian installs servers outside an ordinary user's PATH. */
export function haveCommands({ PATH = '' }: Environment, ...names: readonly string[]): boolean {
  const options = { env: { PATH: `${PATH}:/usr/sbin` } }
  return names.every((name) => spawnSync('/bin/sh', ['-c', `command -v ${name}`], options).status === 0)
}

/** In milliseconds: where nothing listens, the answer comes at once; a busy machine is slow, not broken. */
const PATIENCE = 10_000

/** The ports that answer a plain HTTP request; the others only have to accept a connection. */
const HTTP: readonly PortName[] = ['http', 'google', 'github', 'facebook', 'dynamodb', 'sqs', 'events']

/** Whether all parts of a running service answer; without one, whether its ports are free. */
async function checkRun(given: Environment, offset: number, withBus: boolean): Promise<readonly Finding[]> {
  const ports = portsAt(offset)
  const isRunning = await isOurs(ports.http)
  const profile = isRunning ? await profileAt(askAt(new URL(httpAddress(ports.http)))) : given['PROFILE']
  const wanted = wantedPorts({ ...given, PROFILE: profile }, withBus)
  return isRunning ? checkService(offset, wanted) : checkPorts(offset, wanted)
}

/** One finding per taken port, with an offset at which all are free. */
export async function checkPorts(
  offset: number,
  wanted: readonly PortName[],
  free: (port: number) => Promise<boolean> = isFree,
): Promise<readonly Finding[]> {
  const takenAt = async (other: number) => {
    const numbers = portsAt(other)
    const isThere = await Promise.all(wanted.map((name) => free(numbers[name])))
    return wanted.filter((_, index) => !isThere[index])
  }
  const taken = await takenAt(offset)
  const ports = portsAt(offset)
  if (taken.length === 0) return [passed('ports', `free: ${wanted.map((name) => ports[name]).join(', ')}`)]
  let other = 1000
  while (other <= MAXIMUM_OFFSET && (await takenAt(other)).length > 0) other += 1000
  const moved = other <= MAXIMUM_OFFSET ? other : '<n>'
  const remedy = `PORT_OFFSET=${moved} moves every port, or end the process that listens there`
  return taken.map((name) => failing('ports', `${ports[name]} (${purposeOf(name)}) is taken`, remedy))
}

/** One finding per part of a running service that does not answer. */
export async function checkService(
  offset: number,
  wanted: readonly PortName[],
  answers = answersOn,
): Promise<readonly Finding[]> {
  // The gateway listens on the port of its WebSockets only for functions that use it.
  const used = wanted.filter((name) => name !== 'websocket')
  const ports = portsAt(offset)
  const answered = await Promise.all(used.map((name) => answers(name, ports[name])))
  const silent = used.filter((_, index) => !answered[index])
  if (silent.length === 0) return [passed('service', `running, and answers on all its ${used.length} ports`)]
  return silent.map((name) => {
    const message = `${purposeOf(name)} on port ${ports[name]} does not answer`
    return failing('service', message, 'stop npm start and start it again')
  })
}

/** Whether the service on a port is Gatehouse. */
async function isOurs(port: number): Promise<boolean> {
  const response = await get(port, '/api/public/hello')
  return response?.ok === true && (await response.text().catch(() => '')).includes('public endpoint')
}

async function answersOn(name: PortName, port: number): Promise<boolean> {
  return HTTP.includes(name) ? (await get(port, '/')) !== undefined : canConnect(port)
}

/** Any answer counts; undefined if none comes in time. */
function get(port: number, path: string): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(PATIENCE)
  return fetch(new URL(path, httpAddress(port)), { signal, redirect: 'manual' }).catch(() => undefined)
}

/** Where Debian and other systems install it; without windows it takes two thirds of the CPU. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The browser for the tests: the one that CHROMIUM names, else an installed one; undefined if there is none. */
export function findChromium(given: Environment, exists: (path: string) => boolean = existsSync): string | undefined {
  const named = given['CHROMIUM']
  return (named ? [named] : PATHS).find(exists)
}
