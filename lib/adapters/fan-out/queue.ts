import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  ListQueueTagsCommand,
  type Message,
  paginateListQueues,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  TagQueueCommand,
} from '@aws-sdk/client-sqs'
import { type FanOutClients, inTime } from './engine.ts'
import { LONG_POLL_SECONDS, queueAttributes } from './queue-attributes.ts'
import { isInstanceQueue, nameOfQueue, queueArn, queuePrefix } from './queue-names.ts'

export interface Queue {
  readonly name: string
  readonly url: string
  readonly arn: string
}

/** Unix seconds after which the instance that made the queue counts as dead. */
const EXPIRES = 'expires'

/** How much longer than its waiting time a poll may take. */
const POLL_MARGIN_MS = 5000

/** Makes a queue that only the topics can send to. */
export async function createQueue(engine: FanOutClients, id: string, expires: Date): Promise<Queue> {
  const name = queuePrefix(engine) + id
  const arn = queueArn(engine.topics.events, name)
  const command = new CreateQueueCommand({
    QueueName: name,
    Attributes: queueAttributes(arn, engine.topics),
    tags: tagsOf(expires),
  })
  const { QueueUrl: url = '' } = await engine.sqs.send(command, inTime())
  return { name, url, arn }
}

/** The queues of all instances, present and former. */
export async function listQueues(engine: FanOutClients): Promise<readonly Queue[]> {
  const { sqs: client, topics } = engine
  const queues: Queue[] = []
  const wanted = { QueueNamePrefix: queuePrefix(engine) }
  for await (const { QueueUrls: urls = [] } of paginateListQueues({ client, pageSize: 1000 }, wanted, inTime())) {
    const named = urls.map((url) => ({ url, name: nameOfQueue(url) }))
    const own = named.filter(({ name }) => isInstanceQueue(engine, name))
    queues.push(...own.map((queue) => ({ ...queue, arn: queueArn(topics.events, queue.name) })))
  }
  return queues
}

/** Undefined for a queue without the attribute, or a deleted one. */
export async function expiryOf({ sqs }: FanOutClients, { url }: Queue): Promise<Date | undefined> {
  try {
    const { Tags: tags = {} } = await sqs.send(new ListQueueTagsCommand({ QueueUrl: url }), inTime())
    const seconds = Number(tags[EXPIRES] ?? Number.NaN)
    return Number.isFinite(seconds) ? new Date(seconds * 1000) : undefined
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

export async function renewQueue({ sqs }: FanOutClients, { url }: Queue, expires: Date): Promise<void> {
  await sqs.send(new TagQueueCommand({ QueueUrl: url, Tags: tagsOf(expires) }), inTime())
}

/** Deletes a queue, if it is still there. */
export async function deleteQueue({ sqs }: FanOutClients, { url }: Queue): Promise<void> {
  try {
    await sqs.send(new DeleteQueueCommand({ QueueUrl: url }), inTime())
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/**
 * The messages that have arrived, or arrive during the wait.
 * @param isPatient whether to wait for a message
 * @throws also when the signal interrupts it
 */
export async function receiveMessages(
  { sqs }: FanOutClients,
  { url }: Queue,
  isPatient: boolean,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const seconds = isPatient ? LONG_POLL_SECONDS : 0
  const command = new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, WaitTimeSeconds: seconds })
  const limit = AbortSignal.timeout(seconds * 1000 + POLL_MARGIN_MS)
  const { Messages: messages = [] } = await sqs.send(command, { abortSignal: AbortSignal.any([signal, limit]) })
  return messages
}

/** Deletes received messages from the queue; SQS delivers one again if its deletion fails. */
export async function removeMessages(
  { sqs }: FanOutClients,
  { url }: Queue,
  messages: readonly Message[],
): Promise<void> {
  const entries = messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }))
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: entries }), inTime())
}

/** Whether SQS has no queue of that URL. */
export function isGone(error: unknown): boolean {
  return error instanceof QueueDoesNotExist
}

function tagsOf(expires: Date): Record<string, string> {
  return { [EXPIRES]: `${Math.ceil(expires.getTime() / 1000)}` }
}
