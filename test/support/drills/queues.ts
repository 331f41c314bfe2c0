import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSEvent } from 'aws-lambda'
import { type InvocationResult, settled } from '../../../localstack/event-source.ts'
import type { Resource } from '../../../localstack/provision/resources.ts'
import { sqsEvent } from '../../../localstack/sqs-event.ts'
import { InvokeRefusal } from '../../../localstack/strict/refusal.ts'

/** What SQS publishes of a queue: how many messages can be received, and for how many seconds the oldest has been there. */
interface QueueState {
  readonly name: string
  readonly depth: number
  readonly age: number
}

/** The queues of a template, at the emulator. */
export function drillQueues(
  aws: Readonly<Record<string, string>>,
  service: string,
  resources: Readonly<Record<string, Resource>>,
) {
  const endpoint = aws['AWS_ENDPOINT_URL_SQS'] ?? ''
  const client = new SQSClient({ endpoint, region: aws['AWS_REGION'] ?? '', useQueueUrlAsEndpoint: false })
  const urlOf = (name: string) => `${endpoint}/000000000000/${name}`
  const names = Object.values(resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::SQS::Queue' ? [String(Properties?.['QueueName'])] : [],
  )
  /** When the oldest message of a queue came, as far as it was seen waiting. */
  const since = new Map<string, number>()

  async function countsOf(name: string): Promise<readonly number[]> {
    const counts = [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesDelayed',
    ] as const
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: urlOf(name), AttributeNames: [...counts] }),
    )
    return counts.map((count) => Number(Attributes[count]))
  }

  async function heldIn(name: string): Promise<number> {
    return (await countsOf(name)).reduce((sum, count) => sum + count, 0)
  }

  async function stateOf(name: string): Promise<QueueState> {
    const [depth = 0] = await countsOf(name)
    const held = await heldIn(name)
    if (held === 0) since.delete(name)
    else since.set(name, since.get(name) ?? Date.now())
    return { name, depth, age: (Date.now() - (since.get(name) ?? Date.now())) / 1000 }
  }

  return {
    states: () => Promise.all(names.map(stateOf)),
    /** How many messages there are, whoever can receive them. */
    heldIn: (queue: string) => heldIn(`${service}-${queue}`),
    purgeAll: () => Promise.all(names.map((name) => client.send(new PurgeQueueCommand({ QueueUrl: urlOf(name) })))),
    purge: (queue: string) => client.send(new PurgeQueueCommand({ QueueUrl: urlOf(`${service}-${queue}`) })),
    /** A queue of somebody else. */
    make: (name: string) => client.send(new CreateQueueCommand({ QueueName: name })),

    /** Hands what is in a queue to a function, once, as Lambda's event source mapping does. @returns how many messages */
    async work(queue: string, invoke: (event: SQSEvent) => Promise<InvocationResult>): Promise<number> {
      const QueueUrl = urlOf(`${service}-${queue}`)
      const { Messages: messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] }),
      )
      if (messages.length === 0) return 0
      const event = sqsEvent(messages, `arn:aws:sqs:${aws['AWS_REGION']}:000000000000:${service}-${queue}`)
      const outcome = await invoke(event).catch((error: unknown): InvocationResult => {
        if (!(error instanceof InvokeRefusal)) throw error
        return { isError: true, payload: '' }
      })
      for (const { receiptHandle: ReceiptHandle } of settled(event.Records, outcome, true)) {
        await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
      }
      return messages.length
    },
  }
}
