import { SNSClient } from '@aws-sdk/client-sns'
import { SQSClient } from '@aws-sdk/client-sqs'
import type { FanOutClients } from '../../../lib/adapters/fan-out/engine.ts'

type Input = Readonly<Record<string, unknown>>

/** What an operation answers with, or throws. */
export type Answer = (input: Input, signal: AbortSignal | undefined) => unknown

interface Call {
  readonly operation: string
  readonly input: Input
}

export interface FakeEngine {
  readonly engine: FanOutClients
  readonly calls: readonly Call[]
  /** The inputs of an operation's calls so far. */
  of(operation: string): readonly Input[]
  /** From now on the operation answers so. */
  on(operation: string, answer: Answer): void
}

export const TOPICS = {
  events: 'arn:aws:sns:eu-central-1:123456789012:gatehouse-test-events',
  messages: 'arn:aws:sns:eu-central-1:123456789012:gatehouse-test-messages',
}

export const ARN_OF_QUEUES = 'arn:aws:sqs:eu-central-1:123456789012:'

export const URL_OF_QUEUES = 'https://sqs.eu-central-1.amazonaws.com/123456789012/'

/** All goes well, and no message ever comes. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  CreateQueue: ({ QueueName: name }) => ({ QueueUrl: `${URL_OF_QUEUES}${name}` }),
  ReceiveMessage: ({ WaitTimeSeconds: seconds }, signal) => (seconds === 0 ? {} : untilAborted(signal)),
  Subscribe: ({ TopicArn: topic }) => ({ SubscriptionArn: `${topic}:subscription` }),
}

/** SNS and SQS as a table of answers. */
export function fakeEngine(): FakeEngine {
  const answers = new Map(Object.entries(ANSWERS))
  const calls: Call[] = []
  async function send(command: { readonly input: Input }, options?: { readonly abortSignal?: AbortSignal }) {
    const operation = command.constructor.name.replace(/Command$/, '')
    calls.push({ operation, input: command.input })
    return (await answers.get(operation)?.(command.input, options?.abortSignal)) ?? {}
  }
  return {
    engine: {
      sns: Object.assign(new SNSClient({ region: 'local' }), { send }),
      sqs: Object.assign(new SQSClient({ region: 'local' }), { send }),
      publishMessage: async (...input) => void (await answers.get('publishMessage')?.({ input }, undefined)),
      topics: TOPICS,
      stage: 'test',
    },
    calls,
    of: (operation) => calls.filter((call) => call.operation === operation).map(({ input }) => input),
    on: (operation, answer) => void answers.set(operation, answer),
  }
}

/** A call that is not answered. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal?.reason)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort)
  return promise
}
