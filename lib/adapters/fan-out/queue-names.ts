import type { FanOutClients } from './engine.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** What the names of a stage's queues begin with. */
export function queuePrefix({ stage }: Pick<FanOutClients, 'stage'>): string {
  return `gatehouse-${stage}-adapter-`
}

/** Whether a queue is an instance's of this stage; a stage's name may be the beginning of another's. */
export function isInstanceQueue(engine: Pick<FanOutClients, 'stage'>, name: string): boolean {
  const prefix = queuePrefix(engine)
  return name.startsWith(prefix) && UUID.test(name.slice(prefix.length))
}

/** The name of a queue, which is how its URL and its ARN end. */
export function nameOfQueue(urlOrArn: string): string {
  return urlOrArn.slice(Math.max(urlOrArn.lastIndexOf('/'), urlOrArn.lastIndexOf(':')) + 1)
}

/** The ARN of a queue in the account and region of a topic. */
export function queueArn(topicArn: string, name: string): string {
  const [, partition, , region, account] = topicArn.split(':')
  return `arn:${partition}:sqs:${region}:${account}:${name}`
}
