import type { Destination } from '../../lib/deliver/destination.ts'
import { deliveryQueueBeside } from '../../lib/deliver/queue.ts'
import { visibilityTimeoutOf } from '../../lib/deliver/timing.ts'
import { deadLetterQueueOf, deliverQueueOf } from './names.ts'

export interface StackResource {
  readonly Type: string
  readonly Properties: Readonly<Record<string, unknown>>
}

/** Resources by their logical ids. */
export type StackResources = Readonly<Record<string, StackResource>>

const FOUR_DAYS = 345_600
const FORTNIGHT = 1_209_600

/** The queues of the destinations, as resources/queues.yml has those of the service. @param prefix that of all names */
export function deliveryQueues(destinations: readonly Destination[], prefix: string): StackResources {
  if (destinations.length === 0) return {}
  const queues = destinations.flatMap((destination) => Object.entries(queuesOf(destination, prefix)))
  return { ...Object.fromEntries(queues), DeliveryQueuesPolicy: tlsPolicy(queues.map(([id]) => id)) }
}

function queuesOf(destination: Destination, prefix: string): StackResources {
  const { name } = destination
  const queueName = deliveryQueueBeside(`${prefix}-retry`, name)
  return {
    [deliverQueueOf(name)]: queue({
      QueueName: queueName,
      VisibilityTimeout: visibilityTimeoutOf(destination) / 1000,
      MessageRetentionPeriod: FOUR_DAYS,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [deadLetterQueueOf(name), 'Arn'] },
        maxReceiveCount: 5,
      },
    }),
    [deadLetterQueueOf(name)]: queue({ QueueName: `${queueName}-dead`, MessageRetentionPeriod: FORTNIGHT }),
  }
}

function queue(properties: StackResource['Properties']): StackResource {
  return { Type: 'AWS::SQS::Queue', Properties: { ...properties, SqsManagedSseEnabled: true } }
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
