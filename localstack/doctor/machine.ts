import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type Environment, loadConfig } from '../../lib/runtime/config.ts'
import { type DynamoDbEngine, hasJdk, needsJdk } from '../emulators/dynamodb.ts'
import { localSettings, type RunSettings } from '../settings.ts'
import { findChromium } from './chromium.ts'
import type { Lockfiles } from './runtime.ts'
import { haveCommands, type Tool } from './tools.ts'

/** The checks' inputs that only the machine itself can provide. */

const ROOT = join(import.meta.dirname, '../..')

const SETTINGS = {
  PORT_OFFSET: localSettings.PORT_OFFSET,
  DATA_DIR: localSettings.DATA_DIR,
  EMULATOR: localSettings.EMULATOR,
}

/** The settings that the other checks use. A wrong setting counts as unset; it has a line of its own. */
export function soundSettings(given: Environment): Pick<RunSettings, keyof typeof SETTINGS> {
  try {
    return loadConfig(SETTINGS, [], given)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const wrong = error.problems.map((problem) => problem.split(':')[0])
    return loadConfig(SETTINGS, [], Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.includes(name))))
  }
}

/** The version of the npm that runs this, otherwise of the installed one. */
export function npmVersion(given: Environment): string | undefined {
  const [, running] = /^npm\/(\S+)/.exec(given['npm_config_user_agent'] ?? '') ?? []
  return running ?? (spawnSync('npm', ['--version'], { encoding: 'utf8' }).stdout?.trim() || undefined)
}

/** The lockfiles as ensure-installed.mjs compares them. */
export function lockfiles(): Lockfiles {
  const installed = readStamp(join(ROOT, 'node_modules/.gatehouse-lockfile'))
  return { installed, wanted: readFileSync(join(ROOT, 'package-lock.json'), 'utf8') }
}

function readStamp(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The tools that a machine may lack; in CI none. */
export function toolsOf(given: Environment, engine: DynamoDbEngine): readonly Tool[] {
  const isCi = Boolean(given['CI'])
  const tool = (check: string, isThere: boolean, use: string, packages: string, isNeeded = isCi) => ({
    check,
    isThere,
    use,
    packages,
    isNeeded,
  })
  return [
    tool('JDK', hasJdk(), 'DynamoDB Local', 'default-jdk-headless', isCi || needsJdk(engine)),
    tool(
      'OpenLDAP',
      haveCommands(given, 'slapd', 'slapadd', 'ldapwhoami'),
      'the tests of the directory',
      'slapd ldap-utils',
    ),
    tool('Chromium', findChromium(given) !== undefined, 'the tests in a browser', 'chromium'),
    tool('openssl', haveCommands(given, 'openssl'), 'the tests of TLS', 'openssl'),
    tool('curl', haveCommands(given, 'curl'), 'the examples of the documentation', 'curl'),
  ]
}

/** Loads the SDK only here: it is slow to load, and a local stage does not need it. */
export async function findAwsCredentials(): Promise<unknown> {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb')
  return new DynamoDBClient().config.credentials()
}
