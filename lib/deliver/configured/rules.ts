import type {
  ByStage,
  DestinationConfig,
  HandlerConfig,
  HttpDestination,
  NamedSecret,
  SqsDestination,
} from '../../config.ts'
import { broken, type FieldCheck, type Issue } from '../../webhooks/configured/schema.ts'
import { isHeaderName } from '../../webhooks/configured/template.ts'
import { isProvider } from '../../webhooks/providers/index.ts'
import { GATEHOUSE } from '../../webhooks/source.ts'
import { authValues } from '../given-secrets.ts'
import { CONCURRENCY, isOfTeam, stagedOf, valueOn } from './destinations.ts'
import { whereRules } from './where.ts'

/** The names of everything configured, however wrong it is. */
export interface ConfiguredNames {
  readonly sources: readonly string[]
  readonly destinations: readonly string[]
  /** The paths of handlers, such as `shop/order-paid`. */
  readonly handlers: readonly string[]
  /** The logical ids of `resources.yml`. */
  readonly resources: readonly string[]
}

/** One transaction has a hundred rows, and the role of the intake 10,240 characters: deliveries-6. */
const MAXIMUM = 30

/** The rules over all destinations. */
export function togetherRules({ destinations, handlers }: ConfiguredNames): readonly Issue[] {
  const many = destinations.length + handlers.length
  return broken([['', `and handlers together are at most ${MAXIMUM}`, many > MAXIMUM]])
}

/** Another of them that would have the same queue: their names differ in nothing but what is no letter or digit. */
function twinOf(name: string, { destinations, handlers }: ConfiguredNames): string | undefined {
  const joined = (text: string) => text.replaceAll(/[^a-z0-9]/g, '')
  return [...destinations, ...handlers].find((other) => other !== name && joined(other) === joined(name))
}

export function destinationNameRules(name: string, names: ConfiguredNames): readonly Issue[] {
  const twin = twinOf(name, names)
  return broken([
    [
      '',
      'as a name, must begin with a-z, have at most 24 of a-z, 0-9 and -, and not end with -',
      !/^[a-z](?:[a-z0-9-]{0,22}[a-z0-9])?$/.test(name),
    ],
    ['', `as a name, must differ from ${twin?.slice(0, LONGEST_PATH)} in more than its dashes`, twin !== undefined],
  ])
}

/** Names of functions have at most 64 characters (Lambda API reference, CreateFunction). */
const LONGEST_PATH = 33

/** What is wrong with where a handler's file stands. */
export function handlerPathRules(path: string, names: ConfiguredNames): readonly string[] {
  const [source = '', name = ''] = path.split('/')
  const twin = twinOf(path, names)
  const checks: readonly (readonly [message: string, isBroken: boolean])[] = [
    [`${source} is no name of a source`, source === '*' || !isSourceKnown(source, names.sources)],
    [
      'its name must have a-z, 0-9 and - only, begin with a letter and not end with -',
      !/^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(name),
    ],
    [`${path} must have at most ${LONGEST_PATH} characters`, path.length > LONGEST_PATH],
    [`${path} must differ from ${twin} in more than dashes`, twin !== undefined],
  ]
  return checks.flatMap(([message, isBroken]) => (isBroken ? [message] : []))
}

/** The rules over several fields that a destination breaks. */
export function destinationRules(destination: DestinationConfig, names: ConfiguredNames): readonly Issue[] {
  const { where, from } = destination
  return [
    ...sourceRules(destination, names),
    ...(where === undefined ? [] : whereRules(where, from)),
    ...broken(rateRules(destination)),
    ...targetRules(destination, names),
  ]
}

/** Sources that have an endpoint of their own and are no provider's. */
const OWN = ['payment', 'order-status', GATEHOUSE]

function sourceRules({ from }: DestinationConfig, names: ConfiguredNames): readonly Issue[] {
  return Object.keys(from).flatMap((name) =>
    isSourceKnown(name, names.sources) ? [] : [{ path: ['from', name], message: 'as a name, is none of a source' }],
  )
}

/** Whether there is a source of that name; `*` is every source. @param configured the names of those of the team */
export function isSourceKnown(name: string, configured: readonly string[]): boolean {
  return name === '*' || OWN.includes(name) || isProvider(name) || configured.includes(name)
}

/** The rules over several fields that the settings of a handler break. */
export function handlerRules(
  handler: HandlerConfig,
  { destinations, resources: known }: ConfiguredNames,
  stage?: string,
): readonly Issue[] {
  const resources = (handler.rights ?? []).flatMap((right, place) =>
    right.resources.map((value, index) => [`rights.${place}.resources.${index}`, value] as const),
  )
  return broken([
    ...rateRules(handler),
    [
      'secrets',
      'must not read what a destination is signed with',
      (handler.secrets ?? []).some((name) => destinations.includes(name)),
    ],
    ...resources.map(([field, value]): FieldCheck => {
      if (!isOfTeam(value))
        return [
          field,
          `has no value for the stage ${stage}`,
          stage !== undefined && valueOn(stage, value) === undefined,
        ]
      const [id = ''] = value.team.split('/')
      return [`${field}.team`, `is not in resources.yml: ${id}`, !known.includes(id)]
    }),
    ...networkRules(handler, stage),
  ])
}

/** Outside of a VPC, a deployed function has no way to a private address. */
function networkRules({ network }: Pick<HandlerConfig, 'network'>, stage: string | undefined): readonly FieldCheck[] {
  if (network === undefined || stage === undefined || stage === 'local') return []
  const message = `'private' reaches nothing on the deployed stage ${stage}: it needs { subnetIds, securityGroupIds }`
  return [['network', message, valueOn(stage, network) === 'private']]
}

function rateRules({
  concurrency = CONCURRENCY,
  ratePerSecond,
}: Pick<DestinationConfig, 'concurrency' | 'ratePerSecond'>): readonly FieldCheck[] {
  const least = concurrency / 2
  return [['ratePerSecond', `must be at least ${least}, half of concurrency`, (ratePerSecond ?? least) < least]]
}

function targetRules(destination: DestinationConfig, names: ConfiguredNames): readonly Issue[] {
  switch (destination.to) {
    case 'http':
      return [...urlRules('url', destination.url), ...headerRules(destination, names), ...authRules(destination, names)]
    case 'sqs':
      return queueRules(destination)
    case 'eventbridge':
      return valuesOf('bus', destination.bus).flatMap(({ path, text }) =>
        BUS.test(text) ? [] : [{ path, message: 'must be the ARN of a bus' }],
      )
  }
}

/** A value, where it stands, and its stage if it is for one. */
interface Value {
  readonly path: readonly string[]
  readonly stage: string | undefined
  readonly text: string
}

function valuesOf(field: string, given: string | ByStage): readonly Value[] {
  const place = field.split('.')
  if (typeof given === 'string') return [{ path: place, stage: undefined, text: given }]
  return Object.entries(given.byStage).map(([stage, text]) => ({ path: [...place, 'byStage', stage], stage, text }))
}

function urlRules(field: string, url: string | ByStage): readonly Issue[] {
  return valuesOf(field, url).flatMap(({ path, stage, text }) => {
    const message = problemOfUrl(text, stage === 'local')
    return message === undefined ? [] : [{ path, message }]
  })
}

const HERE = ['127.0.0.1', 'localhost', '[::1]']

function problemOfUrl(text: string, isLocal: boolean): string | undefined {
  const url = URL.parse(text)
  if (!url || text.trim() !== text) return 'must be an address'
  const isOpen = isLocal && url.protocol === 'http:' && HERE.includes(url.hostname)
  if (url.protocol !== 'https:' && !isOpen)
    return 'must be an https address; for the stage local also http to 127.0.0.1 or localhost'
  if (url.username !== '' || url.password !== '') return 'must have no user and no password'
  if (text.includes('#')) return 'must have no fragment'
  return isPortOpen(url.port) ? undefined : 'must be on port 443, 80 or above 1023'
}

/** As lib/adapters/http/guard.ts has it. */
function isPortOpen(port: string): boolean {
  return port === '' || port === '443' || port === '80' || Number(port) > 1023
}

/** What we say ourselves, or what belongs to the connection (RFC 9110, section 7.6.1). */
const OURS = [
  ...['host', 'content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive'],
  ...['te', 'trailer', 'upgrade', 'expect', 'user-agent', 'proxy-connection', 'proxy-authorization'],
]

function headerRules({ headers = {}, auth }: HttpDestination, { destinations }: ConfiguredNames): readonly Issue[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  return Object.entries(headers).flatMap(([given, value]) => {
    const name = given.toLowerCase()
    const checks: readonly FieldCheck[] = [
      ['', 'must be the name of a header', !isHeaderName(given)],
      ['', 'is a header that the service sets', OURS.includes(name) || /^(?:webhook|gatehouse)-/.test(name)],
      ['', 'is a header that auth sets', auth !== undefined && !('mtls' in auth) && name === 'authorization'],
      ['', 'is there twice', names.indexOf(name) !== names.lastIndexOf(name)],
      ['', SENT, isOfDestination(value, destinations)],
    ]
    return broken(checks).map(({ message }) => ({ path: ['headers', given], message }))
  })
}

const SENT = 'must not send what a destination is signed with'

function isOfDestination(value: string | NamedSecret, destinations: readonly string[]): boolean {
  return typeof value !== 'string' && destinations.includes(value.secret)
}

function authRules({ auth }: HttpDestination, { destinations }: ConfiguredNames): readonly Issue[] {
  if (auth === undefined) return []
  return [
    ...broken([['auth', SENT, authValues(auth).some((value) => isOfDestination(value, destinations))]]),
    ...('oauth2' in auth ? urlRules('auth.oauth2.tokenUrl', auth.oauth2.tokenUrl) : []),
  ]
}

const QUEUE = /^arn:aws(?:-[a-z]+)*:sqs:[a-z]{2}(?:-[a-z]+)+-\d:\d{12}:(?=.{1,80}$)[\w-]+(?:\.fifo)?$/
const BUS = /^arn:aws(?:-[a-z]+)*:events:[a-z]{2}(?:-[a-z]+)+-\d:\d{12}:event-bus\/[\w./-]{1,256}$/

function queueRules({ queue, group }: SqsDestination): readonly Issue[] {
  const values = valuesOf('queue', queue)
  const isPlain = values.some(({ text }) => !text.endsWith('.fifo'))
  return [
    ...values.flatMap(({ path, text }) => (QUEUE.test(text) ? [] : [{ path, message: 'must be the ARN of a queue' }])),
    ...broken([['group', 'needs a FIFO queue, whose name ends with .fifo', group !== undefined && isPlain]]),
  ]
}

/** Whether a value is missing on a stage. */
export function stageRules(destination: DestinationConfig, stage: string): readonly Issue[] {
  const { field, value } = stagedOf(destination)
  const none = `has no value for the stage ${stage}`
  const auth = destination.to === 'http' ? destination.auth : undefined
  const isTokenless = auth && 'oauth2' in auth && valueOn(stage, auth.oauth2.tokenUrl) === undefined
  return broken([
    [field, none, valueOn(stage, value) === undefined],
    ['auth.oauth2.tokenUrl', none, isTokenless === true],
    ...networkRules(destination, stage),
  ])
}
