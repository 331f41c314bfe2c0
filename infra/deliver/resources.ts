import { deliveryQueueBeside } from '../../lib/deliver/delivery.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import { visibilityTimeoutOf } from '../../lib/deliver/destination.ts'
import { deliverQueueOf, servingFunctionOf } from './names.ts'

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
