import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process, { env } from 'node:process'
import { hasBus } from '../../infra/deliver/stage.ts'
import { type Finding, failing, passed, warn } from '../../infra/finding.ts'
import { configuredTeam } from '../../infra/team-config.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import { ConfigError, type Environment, loadConfig } from '../../lib/runtime/config.ts'
import { catalogFrom } from '../../lib/webhooks/sources/catalog.ts'
import { type DynamoDbEngine, hasJdk, needsJdk } from '../emulators/dynamodb.ts'
import { localSettings, readSettings } from '../settings.ts'
import { findChromium } from './chromium.ts'
import { checkRun } from './run.ts'

/** What is in the way of `npm start` and `npm test`. */
export async function checkMachine(): Promise<readonly Finding[]> {
  const { PORT_OFFSET: offset, DATA_DIR: folder, EMULATOR: engine } = soundSettings(env)
  // A wrong configuration is among the settings.
  const team = await configuredTeam('local').catch(() => ({}))
  return [
    passed('Node.js', process.version),
    checkPackages(textOf('node_modules/.gatehouse-lockfile'), textOf('package-lock.json')),
    ...(await checkSettings(env)),
    checkDataFolder(folder),
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
  const path = join(import.meta.dirname, '../..', file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** The tools that a machine may lack; in CI none. */
function toolsOf(given: Environment, engine: DynamoDbEngine): readonly Finding[] {
  const isCi = Boolean(given['CI'])
  const has = (...names: readonly string[]) => haveCommands(given, ...names)
  return [
    tool('JDK', hasJdk(), 'DynamoDB Local', 'default-jdk-headless', isCi || needsJdk(engine)),
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
