import type { Network } from '../../lib/config.ts'
import { deliveryQueueBeside } from '../../lib/deliver/delivery.ts'
import {
  type Destination,
  functionTimeoutOf,
  type HandlerTarget,
  visibilityTimeoutOf,
} from '../../lib/deliver/destination.ts'
import { HANDLERS } from '../../lib/deliver/handler-file.ts'
import { DIST } from '../builds.ts'
import { DELIVERY_SCAN, deliverQueueOf, servingFunctionOf } from '../names.ts'

export interface StackResource {
  readonly Type: string
  readonly Properties: Readonly<Record<string, unknown>>
}

/** Resources by their logical ids. */
export type StackResources = Readonly<Record<string, StackResource>>

/** A hint that no function could handle is given up after so many seconds: the scan sends another one. */
const HOUR = 3600

/**
 * The queue of each destination. None has a dead-letter queue, since its messages are only hints (docs/decisions/0026).
 * @param prefix that of all names
 */
export function deliveryQueues(destinations: readonly Destination[], prefix: string): StackResources {
  if (destinations.length === 0) return {}
  const queues = Map.groupBy(destinations, servingFunctionOf)
    .values()
    .flatMap((served) => served.map(({ name }) => [deliverQueueOf(name), queueOf(name, served, prefix)] as const))
    .toArray()
  return { ...Object.fromEntries(queues), DeliveryQueuesPolicy: tlsPolicy(queues.map(([id]) => id)) }
}

/** @param served the destinations of the function that reads it */
function queueOf(name: string, served: readonly Destination[], prefix: string): StackResource {
  return {
    Type: 'AWS::SQS::Queue',
    Properties: {
      QueueName: deliveryQueueBeside(`${prefix}-retry`, name),
      VisibilityTimeout: visibilityTimeoutOf(served) / 1000,
      MessageRetentionPeriod: HOUR,
      SqsManagedSseEnabled: true,
    },
  }
}

/** Requires TLS. One policy for all; its `*` is the queue that it is attached to. */
function tlsPolicy(ids: readonly string[]): StackResource {
  return {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: ids.map((id) => ({ Ref: id })),
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 'sqs:*',
            Resource: '*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      },
    },
  }
}

/** A function as serverless.yml would declare it. */
export interface DeclaredFunction {
  readonly name: string
  handler: string
  readonly package: { readonly patterns: readonly string[] }
  readonly timeout: number
  readonly memorySize?: number
  role?: string
  environment?: Record<string, unknown>
  readonly vpc?: Network
  readonly maximumRetryAttempts?: number
  readonly maximumEventAge?: number
  events: readonly Readonly<Record<string, unknown>>[]
}

/**
 * The functions that serve destinations, and the one that scans for waiting deliveries; none without destinations.
 * @param prefix the beginning of the names of functions
 */
export function deliveryFunctions(
  destinations: readonly Destination[],
  prefix: string,
): Readonly<Record<string, DeclaredFunction>> {
  if (destinations.length === 0) return {}
  const serving = Array.from(
    Map.groupBy(destinations, servingFunctionOf),
    ([name, served]) => [name, servingFunction(`${prefix}-${name}`, served)] as const,
  )
  return { ...Object.fromEntries(serving), [DELIVERY_SCAN]: scanFunction(prefix) }
}

/** Each destination has a mapping of its own, whose limit no other one shares. */
function servingFunction(name: string, served: readonly Destination[]): DeclaredFunction {
  const [target] = served.flatMap((one) => (one.target.to === 'handler' ? [one.target] : []))
  const [vpc] = served.flatMap(({ network = [] }) => network)
  return {
    name,
    ...(target ? { ...bundled('deliver', handlerBundle(target)), memorySize: target.memory } : bundled('deliver')),
    timeout: functionTimeoutOf(served) / 1000,
    ...(vpc && { vpc }),
    ...(target && { environment: teamNames(target) }),
    events: served.map((destination) => ({
      sqs: {
        arn: { 'Fn::GetAtt': [deliverQueueOf(destination.name), 'Arn'] },
        batchSize: 1,
        maximumConcurrency: destination.concurrency,
        functionResponseType: 'ReportBatchItemFailures',
      },
    })),
  }
}

/** What the code of a handler needs to know of the tables and queues that it may use. */
function teamNames({ rights }: HandlerTarget): Record<string, unknown> {
  const named = rights.flatMap(({ resources }) => resources.filter((one) => typeof one !== 'string'))
  return Object.fromEntries(named.map(({ team }) => team.split('/', 1).join()).map((id) => [id, { Ref: id }]))
}

function scanFunction(prefix: string): DeclaredFunction {
  return {
    name: `${prefix}-${DELIVERY_SCAN}`,
    ...bundled('delivery-scan'),
    timeout: 60,
    // The next scan finds what this one missed.
    maximumRetryAttempts: 0,
    maximumEventAge: 60,
    events: [{ schedule: { rate: ['rate(1 minute)'], enabled: true } }],
  }
}

/** @param others folders of further bundles in its package */
function bundled(file: string, ...others: readonly string[]) {
  const folder = `${DIST}/jobs/${file}`
  return { handler: `${folder}/index.handler`, package: { patterns: [folder, ...others].map((one) => `${one}/**`) } }
}

function handlerBundle({ path }: HandlerTarget): string {
  return `${DIST}/${HANDLERS}/${path}`
}
