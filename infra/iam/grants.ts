import type { Right } from '../../lib/config.ts'
import {
  COUNT_REPLAYED,
  DELIVERIES,
  DELIVERY_SECRETS,
  type Grants,
  INTAKE,
  LIST_EVENTS,
  PUBLISH,
  READ,
  RUN,
} from '../../lib/contract/grants.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import { needsSecrets } from '../../lib/deliver/given-secrets.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { DELIVERY_SCAN, deliverQueueOf, servingFunctionOf } from '../names.ts'

/** The rights of the functions that are not endpoints. */
const JOBS: Readonly<Record<string, readonly Grants[]>> = {
  retryEvent: [...RUN, { RetryQueue: READ }],
  retryScan: [
    {
      EventsTable: ['UpdateItem'],
      'EventsTable/index/due': ['Query'],
      // For deliveries that wait for removed destinations.
      DeliveriesTable: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
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
      ReplaysTable: ['GetItem', 'UpdateItem'],
      EventsTable: ['GetItem', 'UpdateItem'],
      DeliveriesTable: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
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

/** The function that tests any destination. */
const TESTING = 'destinationTest'

/** The same with the destinations of a stage: their functions, and the rights of others to order deliveries. */
export function grantsOf(destinations: readonly Destination[]): GrantTable {
  if (destinations.length === 0) return GRANTS
  const waking = wakingGrant(destinations)
  // Nobody tests a handler by a call: the other functions do not have its code.
  const tested = destinations.filter(({ target }) => target.to !== 'handler')
  const reaching = [...(tested.some(needsSecrets) ? [DELIVERY_SECRETS] : []), ...targetGrants(tested)]
  const more = (name: string, grants: readonly Grants[]) => {
    if (INTAKE.every((grant) => grants.includes(grant))) return [DELIVERIES, waking]
    if (name === TESTING) return reaching
    return ORDERING.includes(name) ? [waking] : []
  }
  const others = Object.entries(GRANTS).map(([name, grants]) => [name, [...grants, ...more(name, grants)]])
  const serving = Array.from(Map.groupBy(destinations, servingFunctionOf), ([name, served]) => [
    name,
    servingGrants(served),
  ])
  return { ...Object.fromEntries([...others, ...serving]), [DELIVERY_SCAN]: [...SCAN, waking] }
}

const SCAN: readonly Grants[] = [
  {
    DeliveriesTable: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    'DeliveriesTable/index/due': ['Query'],
  },
  PUBLISH,
]

/** @param served all destinations of one function */
function servingGrants(served: readonly Destination[]): readonly Grants[] {
  return [
    { DeliveriesTable: ['GetItem', 'PutItem', 'UpdateItem'], EventsTable: ['BatchGetItem', 'GetItem'] },
    PUBLISH,
    ...(served.some(needsSecrets) ? [DELIVERY_SECRETS] : []),
    Object.fromEntries(served.map(({ name }) => [deliverQueueOf(name), [...READ, 'SendMessage']])),
    ...targetGrants(served),
  ]
}

/** The rights that the configuration adds to the roles of handlers, by the names of their functions. */
export function rightsOf(destinations: readonly Destination[]): Readonly<Record<string, readonly Right[]>> {
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
