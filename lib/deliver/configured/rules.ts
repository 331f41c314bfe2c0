import type { ByStage, DestinationConfig, HttpDestination, SqsDestination } from '../../config.ts'
import { broken, type FieldCheck, type Issue } from '../../webhooks/configured/schema.ts'
import { isHeaderName } from '../../webhooks/configured/template.ts'
import { isProvider } from '../../webhooks/providers/index.ts'
import { CONCURRENCY } from './destinations.ts'
import { stagedOf, valueOn } from './staged.ts'

/** The names of everything configured, however wrong it is. */
export interface ConfiguredNames {
  readonly sources: readonly string[]
  readonly destinations: readonly string[]
}

/** A stack has 500 resources, and each destination has its own: docs/destinations.md, "Limits". */
const MAXIMUM = 25

/** The rules over all destinations. */
export function togetherRules({ destinations }: ConfiguredNames): readonly Issue[] {
  return broken([['', `are at most ${MAXIMUM}`, destinations.length > MAXIMUM]])
}

export function destinationNameRules(name: string, { destinations }: ConfiguredNames): readonly Issue[] {
  const joined = (text: string) => text.replaceAll('-', '')
  const twin = destinations.find((other) => other !== name && joined(other) === joined(name))
  return broken([
    [
      '',
      'as a name, must begin with a-z, have at most 24 of a-z, 0-9 and -, and not end with -',
      !/^[a-z](?:[a-z0-9-]{0,22}[a-z0-9])?$/.test(name),
    ],
    // `…-deliver-crm-dead` is the dead letter queue of crm, and `DeliverCrmDeadLetterQueue` its logical id.
    ['', 'as a name, must not end with -dead or -dead-letter', /-dead(?:-letter)?$/.test(name)],
    ['', `as a name, must differ from ${twin?.slice(0, 24)} in more than its dashes`, twin !== undefined],
  ])
}

/** The rules over several fields that a destination breaks. */
export function destinationRules(destination: DestinationConfig, names: ConfiguredNames): readonly Issue[] {
  return [...sourceRules(destination, names), ...broken(rateRules(destination)), ...targetRules(destination, names)]
}

/** Sources that have an endpoint of their own and are no provider's. */
const OWN = ['payment', 'order-status']

function sourceRules({ from }: DestinationConfig, { sources }: ConfiguredNames): readonly Issue[] {
  const isKnown = (name: string) => name === '*' || OWN.includes(name) || isProvider(name) || sources.includes(name)
  return Object.keys(from).flatMap((name) =>
    isKnown(name) ? [] : [{ path: ['from', name], message: 'as a name, is none of a source' }],
  )
}

function rateRules({ concurrency = CONCURRENCY, ratePerSecond }: DestinationConfig): readonly FieldCheck[] {
  const least = concurrency / 2
  return [['ratePerSecond', `must be at least ${least}, half of concurrency`, (ratePerSecond ?? least) < least]]
}

function targetRules(destination: DestinationConfig, names: ConfiguredNames): readonly Issue[] {
  switch (destination.to) {
    case 'http':
      return [...urlRules(destination), ...headerRules(destination, names)]
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
  if (typeof given === 'string') return [{ path: [field], stage: undefined, text: given }]
  return Object.entries(given.byStage).map(([stage, text]) => ({ path: [field, 'byStage', stage], stage, text }))
}

function urlRules({ url }: HttpDestination): readonly Issue[] {
  return valuesOf('url', url).flatMap(({ path, stage, text }) => {
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

function headerRules({ headers = {} }: HttpDestination, { destinations }: ConfiguredNames): readonly Issue[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  return Object.entries(headers).flatMap(([given, value]) => {
    const name = given.toLowerCase()
    const checks: readonly FieldCheck[] = [
      ['', 'must be the name of a header', !isHeaderName(given)],
      ['', 'is a header that the service sets', OURS.includes(name) || /^(?:webhook|gatehouse)-/.test(name)],
      ['', 'is there twice', names.indexOf(name) !== names.lastIndexOf(name)],
      [
        '',
        'must not send what a destination is signed with',
        typeof value !== 'string' && destinations.includes(value.secret),
      ],
    ]
    return broken(checks).map(({ message }) => ({ path: ['headers', given], message }))
  })
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
  return broken([[field, `has no value for the stage ${stage}`, valueOn(stage, value) === undefined]])
}
