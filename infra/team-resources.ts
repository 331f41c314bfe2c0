import { existsSync, readFileSync } from 'node:fs'
import { ConfigError } from '../lib/runtime/config.ts'
import { type TemplateResource, withReferences } from './deliver/nested.ts'
import { inProject } from './project.ts'

const FILE = 'resources.yml'

const TYPES: Readonly<Record<string, (name: string, properties: object) => object>> = {
  'AWS::DynamoDB::Table': (TableName, properties) => ({ TableName, ...properties }),
  'AWS::SQS::Queue': (name, properties) => {
    const isFifo = 'FifoQueue' in properties && properties.FifoQueue === true
    return { QueueName: isFifo ? `${name}.fifo` : name, ...properties }
  },
}

const MEMBERS = ['Type', 'Properties', 'DeletionPolicy', 'UpdateReplacePolicy']

/** The short forms of CloudFormation. */
const TAGS: Readonly<Record<string, string>> = { '!Ref': 'Ref', '!GetAtt': 'Fn::GetAtt', '!Sub': 'Fn::Sub' }

/** The tables and queues of the team's own, by their logical ids. */
export type TeamResources = Readonly<Record<string, TemplateResource>>

/** @throws ConfigError naming all that is wrong with `resources.yml`; without one, there are none */
export async function teamResources(file = inProject(FILE)): Promise<TeamResources> {
  if (!existsSync(file)) return {}
  const { parseDocument } = await import('yaml')
  const customTags = Object.entries(TAGS).map(([tag, name]) => ({ tag, resolve: (text: string) => ({ [name]: text }) }))
  const document = parseDocument(readFileSync(file, 'utf8'), { customTags })
  const [unread] = [...document.errors, ...document.warnings]
  if (unread) throw wrong([unread.message.split('\n', 1).join()])
  const whole: unknown = document.toJS() ?? {}
  const { Resources: given = {}, ...others } = isMap(whole) ? whole : { '': whole }
  if (!isMap(given) || Object.keys(others).length > 0) throw wrong(['must have Resources, an object, and nothing else'])
  const problems = Object.entries(given).flatMap(([id, one]) => problemsOf(id, one, Object.keys(given)))
  if (problems.length > 0) throw wrong(problems)
  return given as TeamResources
}

function problemsOf(id: string, given: unknown, ids: readonly string[]): readonly string[] {
  const { Type: type, Properties: properties = {}, ...rest } = isMap(given) ? given : {}
  const strange = Object.keys(rest).filter((name) => !MEMBERS.includes(name))
  const checks: readonly (readonly [message: string, isBroken: boolean])[] = [
    [': as a name, must begin with Team and a capital, and have at most 32 letters and digits', !isOfTeam(id)],
    [`.Type: must be one of ${Object.keys(TYPES).join(', ')}`, !Object.hasOwn(TYPES, String(type))],
    ['.Properties: must be an object', !isMap(properties)],
    [`: has unknown fields: ${strange.join(', ')}`, strange.length > 0],
    ...namedIn(properties).map((name) => [`: names ${name}, which is not in the file`, !ids.includes(name)] as const),
  ]
  return checks.flatMap(([message, isBroken]) => (isBroken ? [`${id}${message}`] : []))
}

/** The logical id of their nested stack. */
export const TEAM_STACK = 'TeamStack'

/** Whether a resource of a stack, by its logical id, is one of the team. */
export function isOfTeam(id: string): boolean {
  return /^Team[A-Z][A-Za-z0-9]{0,27}$/.test(id)
}

/** The resources that references name. */
function namedIn(value: unknown): readonly string[] {
  const names: string[] = []
  withReferences(value, (path) => {
    if (!path.startsWith('AWS::')) names.push(path.split('.', 1).join())
    return path
  })
  return names
}

/** With a name each, so that two stages, or two services, have different ones. @param prefix what all names begin with */
export function namedResources(resources: TeamResources, prefix: string): TeamResources {
  const named = Object.entries(resources).map(([id, { Type, Properties = {}, ...rest }]) => {
    return [id, { ...rest, Type, Properties: TYPES[Type]?.(`${prefix}-${id}`, Properties) ?? Properties }]
  })
  return Object.fromEntries(named)
}

/** The part of the deployment engine with the resources of a stack, and what becomes of its data. */
export interface TeamEngine {
  readonly service: {
    readonly service: string
    readonly provider: {
      readonly environment: Readonly<Record<string, unknown>>
      readonly deletionProtection: boolean
    }
    readonly resources: { readonly Resources: Record<string, unknown> }
  }
}

/** Adds them to the stack; a table is kept as those of the service are, unless the file says what becomes of it. */
export async function addTeamResources({ service }: TeamEngine, file?: string): Promise<void> {
  const { STAGE } = service.provider.environment
  const named = namedResources(await teamResources(file), `${service.service}-${STAGE}`)
  const kept = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' }
  for (const [id, one] of Object.entries(named)) {
    const isKept = one.Type === 'AWS::DynamoDB::Table' && service.provider.deletionProtection
    service.resources.Resources[id] = { ...(isKept && kept), ...one }
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrong(problems: readonly string[]): ConfigError {
  return new ConfigError(problems, `Wrong resources, ${FILE}`)
}
