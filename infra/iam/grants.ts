import {
  COUNT_REPLAYED,
  DELIVERIES,
  each,
  type Grants,
  HEALTH,
  INTAKE,
  LIST_EVENTS,
  MOVE_DELIVERIES,
  ORDER,
  PASSWORD,
  PUBLISH,
  READ,
  RECORD,
  RUN,
  STORE_DELIVERIES,
  WAIT,
} from '../../lib/contract/grants.ts'
import { isOperators } from '../../lib/contract/route.ts'
import type { Destination, StageRight } from '../../lib/deliver/destination.ts'
import { secretOf } from '../../lib/deliver/given-secrets.ts'
import { isNewsAsked } from '../../lib/deliver/news.ts'
import { GATEHOUSE } from '../../lib/webhooks/source.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { DELIVERY_SCAN, deliverQueueOf, servingFunctionOf } from '../names.ts'

/** The rights of the functions that are not endpoints. */
const JOBS: Readonly<Record<string, readonly Grants[]>> = {
  retryEvent: [...RUN, { RetryQueue: READ }],
  retryScan: [
    {
      // What it wakes, and what it ends because a queue refuses its hint for good.
      EventsTable: each('UpdateItem', `${WAIT} errorMessage held leaseUntil`),
      'EventsTable/index/due': ['Query'],
      // For deliveries that wait for removed destinations.
      DeliveriesTable: ['BatchGetItem', 'DeleteItem', 'Query', ...HEALTH, ...MOVE_DELIVERIES],
      'DeliveriesTable/index/due': ['Query'],
      'ReplaysTable/index/waiting': ['Query'],
      RetryQueue: ['SendMessage'],
      ReplayQueue: ['SendMessage'],
    },
    PUBLISH,
  ],
  replayStep: [
    LIST_EVENTS,
    COUNT_REPLAYED,
    PUBLISH,
    {
      ReplaysTable: [
        'GetItem',
        ...each('UpdateItem', 'done failed isListed matched position state step waiting wakeAt'),
      ],
      EventsTable: ['BatchGetItem', 'GetItem', ...each('UpdateItem', ORDER)],
      DeliveriesTable: ['BatchGetItem', ...MOVE_DELIVERIES, ...STORE_DELIVERIES],
      'DeliveriesTable/index/dead': ['Query'],
      'DeliveriesTable/index/byReplay': ['Query'],
      RetryQueue: ['SendMessage'],
      ReplayQueue: [...READ, 'SendMessage'],
    },
  ],
  fallback: [],
}

/** By the names of functions. */
export type GrantTable = Readonly<Record<string, readonly Grants[]>>

/** Exactly the rights that the code of each function uses on AWS. `roleOf` adds those for its own log and traces. */
export const GRANTS: GrantTable = {
  ...Object.fromEntries(Object.entries(ENDPOINTS).map(([name, { about }]) => [name, about.grants])),
  ...JOBS,
}

/** Functions that order deliveries of stored events. */
const ORDERING: readonly string[] = ['replayStep', 'webhookEventRelease', 'webhookEventDeliveryRetry']

/** The function that tests any destination, and the one that shows with which public keys they sign. */
const [TESTING, LISTING] = ['destinationTest', 'destinations']

/** The same where operators' endpoints take no HTTP Basic: they read no hash of a password, and count no attempt. */
const WITHOUT_BASIC: GrantTable = {
  ...GRANTS,
  ...Object.fromEntries(
    Object.entries(ENDPOINTS)
      .filter(([, { route }]) => isOperators(route))
      .map(([name, { route, about }]) => [
        name,
        [...about.grants.filter((one) => !PASSWORD.includes(one)), ...(route.audit ? [RECORD] : [])],
      ]),
  ),
}

/**
 * The same with the destinations of a stage: their functions, and the rights of others to order deliveries.
 * @param isBasic whether operators' endpoints take HTTP Basic
 */
export function grantsOf(destinations: readonly Destination[], isBasic = true): GrantTable {
  const table = isBasic ? GRANTS : WITHOUT_BASIC
  if (destinations.length === 0) return table
  const waking = wakingGrant(destinations)
  // Nobody tests a handler by a call: the other functions do not have its code.
  const tested = destinations.filter(({ target }) => target.to !== 'handler')
  const reaching = [...secretGrants(tested), ...targetGrants(tested)]
  const asking = destinations.filter((one) => isNewsAsked([one]))
  const counting = asking.length > 0 ? [COUNT] : []
  const more = new Map<string, readonly Grants[]>([
    [TESTING, reaching],
    [LISTING, secretGrants(tested)],
    ...ORDERING.map((name) => [name, [waking]] as const),
    ...newsGrants(asking),
  ])
  const others = Object.entries(table).map(([name, grants]) => {
    const isIntake = INTAKE.every((grant) => grants.includes(grant))
    return [name, [...grants, ...(isIntake ? [DELIVERIES, waking, ...counting] : (more.get(name) ?? []))]]
  })
  const serving = Array.from(Map.groupBy(destinations, servingFunctionOf), ([name, served]) => [
    name,
    [...servingGrants(served), ...counting, ...tellingGrants(asking, served)],
  ])
  return { ...Object.fromEntries([...others, ...serving]), [DELIVERY_SCAN]: [...SCAN, waking, ...counting] }
}

/** To store events of the source `gatehouse`, with their deliveries. */
const TELL: readonly Grants[] = [
  {
    [`EventsTable#${GATEHOUSE}`]: each(
      'PutItem',
      'attempts coding dead eventType expireAt headers id listShard payload proof receivedAt sha256 status summary',
    ),
  },
  DELIVERIES,
]

/** To count what the scan tells. */
const COUNT: Grants = { DeliveriesTable: each('UpdateItem', 'count last since subject type') }

/** @param served the destinations whose queues a function may send to anyway */
function tellingGrants(asking: readonly Destination[], served: readonly Destination[] = []): readonly Grants[] {
  return asking.length > 0 ? [...TELL, wakingGrant(asking.filter((one) => !served.includes(one)))] : []
}

/** What functions need besides where a destination asks for such events. */
function newsGrants(asking: readonly Destination[]): readonly (readonly [string, readonly Grants[]])[] {
  const telling = tellingGrants(asking)
  if (telling.length === 0) return []
  return [
    ['destinationDisable', telling],
    ['destinationEnable', telling],
    ['retryEvent', [COUNT]],
    ['retryScan', [...telling, COUNT, { EventsTable: ['GetItem'], RefusalsTable: ['Query'] }]],
  ]
}

const SCAN: readonly Grants[] = [
  {
    DeliveriesTable: ['BatchGetItem', 'Query', ...HEALTH, ...MOVE_DELIVERIES],
    'DeliveriesTable/index/due': ['Query'],
  },
  PUBLISH,
]

/** @param served all destinations of one function */
function servingGrants(served: readonly Destination[]): readonly Grants[] {
  return [
    { DeliveriesTable: [...HEALTH, ...MOVE_DELIVERIES], EventsTable: ['BatchGetItem', 'GetItem'] },
    PUBLISH,
    ...secretGrants(served),
    Object.fromEntries(served.map(({ name }) => [deliverQueueOf(name), [...READ, 'SendMessage']])),
    ...targetGrants(served),
  ]
}

/** To sign deliveries, or to hand secrets to a handler. */
function secretGrants(served: readonly Destination[]): readonly Grants[] {
  const names = new Set(served.map(secretOf).filter((name) => name !== undefined))
  return [...names].map((name) => ({ [`secret/${name}`]: ['GetSecretValue'] }))
}

/** The rights that the configuration adds to the roles of handlers, by the names of their functions. */
export function rightsOf(destinations: readonly Destination[]): Readonly<Record<string, readonly StageRight[]>> {
  const rights = destinations.flatMap((one) =>
    one.target.to === 'handler' ? [[servingFunctionOf(one), one.target.rights] as const] : [],
  )
  return Object.fromEntries(rights)
}

/** The grants that the companion container needs for destinations, in addition to those on the secrets. */
export function containerGrants(destinations: readonly Destination[]): readonly Grants[] {
  return [wakingGrant(destinations), ...targetGrants(destinations)]
}

/** To send hints to the queues of destinations. */
function wakingGrant(destinations: readonly Destination[]): Grants {
  return Object.fromEntries(destinations.map(({ name }) => [deliverQueueOf(name), ['SendMessage']]))
}

/** The grants to reach destinations, without those on the secrets. */
function targetGrants(destinations: readonly Destination[]): readonly Grants[] {
  return destinations.map(({ target }) => grantOn(target))
}

/** To reach a destination that needs more than a secret. */
function grantOn(target: Destination['target']): Grants {
  switch (target.to) {
    case 'http':
    case 'handler':
      return {}
    case 'sqs':
      return { [target.queueArn]: ['SendMessage'] }
    case 'eventbridge':
      return { [target.busArn]: ['PutEvents'] }
  }
}
