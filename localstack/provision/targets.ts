import type { Destination } from '../../lib/deliver/destination.ts'
import type { Resource } from './resources.ts'

/** The queues that destinations name, which a local run makes: their ARNs say how they are called. */
export function targetQueues(destinations: readonly Destination[]): Readonly<Record<string, Resource>> {
  const queues = destinations.flatMap(({ name, target }) =>
    target.to === 'sqs' ? [[`${name}-target`, queueNamed(target.queueArn.replace(/^.*:/, ''))] as const] : [],
  )
  return Object.fromEntries(queues)
}

function queueNamed(QueueName: string): Resource {
  const fifo = QueueName.endsWith('.fifo') ? { FifoQueue: true } : {}
  return { Type: 'AWS::SQS::Queue', Properties: { QueueName, ...fifo } }
}
