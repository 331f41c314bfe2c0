import * as z from 'zod/mini'
import { between, memberPath, object, oneWordOf } from '../../webhooks/configured/schema.ts'
import { isGlob } from '../match.ts'

const MAXIMUM_PAUSE = 86_400
const MAXIMUM_HOURS = 336
const MAXIMUM_RATE = 10_000

const glob = z
  .string('must be a type, or a glob of types')
  .check(
    z.maxLength(256, 'is too long'),
    z.refine(isGlob, 'must be segments between dots or slashes; * is one whole segment, ** any number'),
  )

const TYPES = 'must be a list of 1 to 100 types'

/** The types of events that something is for. */
const types = z.array(glob, TYPES).check(z.minLength(1, TYPES), z.maxLength(100, TYPES))

const repeats = z.optional(oneWordOf('deliver', 'hold'))

/** What the file of a handler exports beside its code. */
export const handlerExports = z.object({ on: types, repeats })

const from = z
  .record(z.string(), types, 'must be an object')
  .check(z.refine((sources) => Object.keys(sources).length > 0, 'must name a source, or *'))

const STAGED = 'must be a text, or byStage with texts for stages, one of them default or local'

const stagedText = z.string(STAGED).check(z.minLength(1, STAGED), z.maxLength(2048, 'is too long'))

/** A value that may differ between stages. A local stage is needed to start at all. */
const staged = z.union(
  [
    stagedText,
    z.strictObject({
      byStage: z
        .record(z.string().check(z.regex(/^[\w-]{1,64}$/)), stagedText)
        .check(z.refine((values) => Object.hasOwn(values, 'default') || Object.hasOwn(values, 'local'), STAGED)),
    }),
  ],
  STAGED,
)

/** @param problem of a value that is neither for all stages nor by stage */
function perStage<T extends z.ZodMiniType>(value: T, problem: string) {
  const values = z.record(z.string().check(z.regex(/^[\w-]{1,64}$/)), value)
  return z.union([value, z.strictObject({ byStage: values })], problem)
}

function wholePerStage(minimum: number, maximum: number) {
  return perStage(
    between(minimum, maximum, 'a whole number'),
    `must be a whole number from ${minimum} to ${maximum}, or byStage with these`,
  )
}

/** As many as Lambda takes (Lambda API reference, VpcConfig). */
function idsOf(kind: 'subnet' | 'sg', most: number) {
  const rule = `must be a list of 1 to ${most} ids, such as ${kind}-0123456789abcdef0`
  const id = z.string(rule).check(z.regex(new RegExp(`^${kind}-[0-9a-f]{8,17}$`), rule))
  return z.array(id, rule).check(z.minLength(1, rule), z.maxLength(most, rule))
}

const network = perStage(
  z.union([z.literal('private'), z.strictObject({ subnetIds: idsOf('subnet', 16), securityGroupIds: idsOf('sg', 5) })]),
  "must be { subnetIds, securityGroupIds } or 'private', or byStage with these",
)

const NAME = 'must have 2 to 12 of a-z, 0-9 and -, and begin with a letter'

/** What the names of a stage begin with. */
export const nameShape = z.optional(z.string(NAME).check(z.regex(/^[a-z][a-z0-9-]{1,11}$/, NAME)))

const PAUSES = 'must be a list of 1 to 20 pauses in seconds'

const topicArn = z
  .string()
  .check(z.regex(/^arn:aws(?:-[a-z]+)*:sns:[a-z]{2}(?:-[a-z]+)+-\d:\d{12}:[\w-]{1,256}$/, { abort: true }))

const alarms = z.union(
  [
    z.literal(false),
    object({
      deadAfter: z.optional(between(1, 1_000_000, 'a whole number')),
      oldestMinutes: z.optional(between(1, 20_160, 'a whole number')),
      topic: z.optional(perStage(topicArn, '')),
    }),
  ],
  'must be false, or an object with deadAfter, oldestMinutes and topic, the ARN of an SNS topic',
)

const service = {
  alarms: z.optional(alarms),
  network: z.optional(network),
  repeats,
  concurrency: z.optional(between(2, 1000, 'a whole number')),
  ratePerSecond: z.optional(between(1, MAXIMUM_RATE)),
  retry: z.optional(z.array(between(1, MAXIMUM_PAUSE), PAUSES).check(z.minLength(1, PAUSES), z.maxLength(20, PAUSES))),
  giveUpAfterHours: z.optional(between(1, MAXIMUM_HOURS)),
}

const common = {
  from,
  where: z.optional(z.unknown()),
  timeoutSeconds: z.optional(between(1, 50, 'a whole number')),
  ...service,
}

const SECRET_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

const HEADER_VALUE = 'must be printable ASCII, or secret with a name of a-z, 0-9, . _ -'

const secretNamed = z.strictObject({ secret: z.string().check(z.regex(SECRET_NAME, HEADER_VALUE)) })

const headerValue = z.union(
  [z.string().check(z.regex(/^[!-~](?:[ -~]{0,1022}[!-~])?$/, HEADER_VALUE)), secretNamed],
  HEADER_VALUE,
)

const USERNAME = 'must be printable ASCII without a colon, or secret with a name'
const CLIENT = 'must be printable ASCII, or secret with a name'
const SCOPE = 'must be names of printable ASCII with one blank between them'

const client = z.strictObject({
  tokenUrl: staged,
  clientId: z.union([z.string().check(z.regex(/^[ -~]{1,256}$/, CLIENT)), secretNamed], CLIENT),
  secret: secretNamed,
  scope: z.optional(z.string(SCOPE).check(z.regex(/^(?=.{1,1024}$)[!#-[\]-~]+(?: [!#-[\]-~]+)*$/, SCOPE))),
})

const auth = z.union(
  [
    z.strictObject({
      basic: z.strictObject({
        username: z.union([z.string().check(z.regex(/^[ -9;-~]{1,256}$/, USERNAME)), secretNamed], USERNAME),
        password: secretNamed,
      }),
    }),
    z.strictObject({ oauth2: client }),
    z.strictObject({ mtls: secretNamed }),
  ],
  'must be one of { basic: { username, password } }, { oauth2: { tokenUrl, clientId, secret, scope } } and { mtls }, each secret as secret(name)',
)

const http = object({
  to: z.literal('http'),
  url: staged,
  headers: z.optional(
    z
      .record(z.string(), headerValue, 'must be an object')
      .check(z.refine((headers) => Object.keys(headers).length <= 20, 'has at most 20 headers')),
  ),
  auth: z.optional(auth),
  ...common,
})

const SHAPES = {
  http,
  sqs: object({ to: z.literal('sqs'), queue: staged, group: z.optional(memberPath), ...common }),
  eventbridge: object({ to: z.literal('eventbridge'), bus: staged, ...common }),
}

/** Each kind of destination, field by field. */
export const destinationShape = z.discriminatedUnion('to', Object.values(SHAPES) as [typeof http], {
  error: ({ code }) =>
    code === 'invalid_union' ? `must be one of ${Object.keys(SHAPES).join(', ')}` : 'must be an object',
})

const ACTION = 'must be an action of IAM, such as dynamodb:PutItem'
const RESOURCE = "must be an ARN, { team: 'TeamId' }, or * alone"
const TEAM = /^Team[A-Za-z0-9]{1,28}(?:\/index\/(?:\*|[\w.-]{3,255}))?$/

const resource = z.string().check(z.regex(/^(?:\*|arn:[\w-]+:[\w-]+:[\w-]*:\d*:[!-~]{1,1024})$/, RESOURCE))

const right = object({
  actions: z
    .array(z.string().check(z.regex(/^[a-z0-9-]{1,64}:[A-Za-z0-9]{1,128}\*?$/, ACTION)), 'must be a list of actions')
    .check(z.minLength(1, 'must name an action'), z.maxLength(50, 'has at most 50 actions')),
  resources: z
    .array(
      z.union([perStage(resource, RESOURCE), z.strictObject({ team: z.string().check(z.regex(TEAM)) })], RESOURCE),
      'must be a list of resources',
    )
    .check(z.minLength(1, 'must name a resource'), z.maxLength(50, 'has at most 50 resources')),
})

/** How the code in a file is run, field by field. */
export const handlerShape = object({
  ...service,
  timeoutSeconds: z.optional(wholePerStage(1, 800)),
  memoryMegabytes: z.optional(wholePerStage(256, 10_240)),
  secrets: z.optional(
    z
      .array(
        z.string().check(z.regex(SECRET_NAME, 'must be a name of a-z, 0-9, . _ -')),
        'must be a list of names of secrets',
      )
      .check(z.maxLength(20, 'has at most 20 names')),
  ),
  rights: z.optional(z.array(right, 'must be a list of rights').check(z.maxLength(20, 'has at most 20 rights'))),
})
