import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { env } from 'node:process'
import { parse } from 'yaml'
import { SERVICE } from '../lib/runtime/settings/edge.ts'
import { SECRETS } from '../lib/runtime/settings/secret-names.ts'
import { ENGINE, inProject } from './project.ts'
import { STAGE_SETTINGS } from './settings.ts'

/** Parameters of the template in camel case, settings of the functions in capitals. */
export type StageValues = Readonly<Record<string, unknown>>

interface Stage {
  readonly values: StageValues
  /** The errors in the values, as messages for the deployer; empty if the stage can be packaged. */
  readonly wrong: readonly string[]
}

/** The stage of a run on this machine, whose settings come from the environment. */
const LOCAL = 'local'

const DEFAULTS: StageValues = parse(readFileSync(join(ENGINE, 'infra/parameters.yml'), 'utf8'))

/**
 * All parameters of a stage: its file over infra/parameters.yml.
 * @param overrides each `name=value`; they count for this run
 * @param service the `name` of the configuration
 */
export function stageParameters(stage: string, overrides: readonly string[], service = SERVICE): StageValues {
  const { values } = stage === LOCAL ? { values: localValues() } : readStage(stage)
  const domain = values['domainName']
  const derived = { secretsPrefix: `${service}/${stage}`, ...(domain ? { baseUrl: `https://${domain}` } : {}) }
  const given = { ...DEFAULTS, ...derived, ...values, ...Object.fromEntries(overrides.map(readOverride)) }
  // Conditions of a template compare texts.
  const texts = Object.entries(given).map(([name, value]) => [name, typeof value === 'boolean' ? `${value}` : value])
  return Object.fromEntries(texts)
}

/** @returns the errors in the file of a stage; empty for a local run, which has none */
export function wrongStage(stage: string): readonly string[] {
  return stage === LOCAL ? [] : readStage(stage).wrong
}

/** @param overrides each `name=value` */
export function wrongOverrides(overrides: readonly string[]): readonly string[] {
  const known = knownNames()
  return overrides.map(readOverride).flatMap(([name, value]) => wrongValue(name, value, known) ?? [])
}

function readOverride(text: string): readonly [name: string, value: string] {
  const end = text.indexOf('=')
  return [text.slice(0, end), text.slice(end + 1).trimEnd()]
}

function readStage(stage: string): Stage {
  const file = join(folder(), `${stage}.yml`)
  const refused = (why: string) => ({ values: {}, wrong: [why] })
  if (!existsSync(file)) return refused(`there is no ${file}: ${howToMake()}`)
  let values: unknown
  try {
    values = parse(readFileSync(file, 'utf8')) ?? {}
  } catch (error) {
    return refused(`${file}: ${error instanceof Error ? error.message : error}`)
  }
  if (!isMap(values)) return refused(`${file}: must have lines of "name: value"`)
  const known = knownNames()
  const wrong = Object.entries(values).flatMap(([name, value]) => wrongValue(name, value, known) ?? [])
  return { values, wrong: wrong.map((why) => `${file}: ${why}`) }
}

/** The stages with a file. */
export function stageNames(): readonly string[] {
  const files = globSync('*.yml', { cwd: folder() }).map((file) => basename(file, '.yml'))
  return files.sort()
}

function howToMake(): string {
  return `copy the file of another stage (${stageNames().join(', ')}) and change it; see docs/deploy.md`
}

function knownNames(): readonly string[] {
  return [...Object.keys(DEFAULTS), ...STAGE_SETTINGS]
}

function wrongValue(name: string, value: unknown, known: readonly string[]): string | undefined {
  const secret = Object.entries(SECRETS).find(([, settings]) => (settings as readonly string[]).includes(name))
  if (secret) return `${name} is a secret and belongs into "${secret[0]}" of Secrets Manager: docs/rotation.md`
  if (!known.includes(name)) {
    return `${name} is neither a parameter (docs/deploy.md) nor a setting (docs/settings.md)`
  }
  const isObject = isMap(DEFAULTS[name])
  if (isMap(value) === isObject && (isObject || ['string', 'number', 'boolean'].includes(typeof value)))
    return undefined
  return `${name} must be ${isObject ? 'an object, in the file of the stage' : 'a text or a number'}`
}

/** Of a local run. */
function localValues(): StageValues {
  const { AWS_REGION, BASE_URL = '', SECRETS_PREFIX = '' } = env
  const given = STAGE_SETTINGS.flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  const region = AWS_REGION ? { region: AWS_REGION } : {}
  return { ...Object.fromEntries(given), ...region, baseUrl: BASE_URL, secretsPrefix: SECRETS_PREFIX }
}

/** Where the files of stages are: `stages`, unless they are kept elsewhere. */
function folder(): string {
  return env['STAGES_DIR'] ?? inProject('stages')
}

function isMap(value: unknown): value is StageValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
