import { SNSClient } from '@aws-sdk/client-sns'
import { SQSClient } from '@aws-sdk/client-sqs'
import { createRetryBudget, retriesWithin } from '../../runtime/retry-budget.ts'
import { type PublishMessage, snsPublisher } from '../aws/sns.ts'

const CALL_MS = 3000

/** ARNs of the topics whose messages reach every instance. */
export interface Topics {
  readonly events: string
  readonly messages: string
}

/** What carries messages between instances: SNS and SQS of one account and region. */
export interface FanOutClients {
  readonly sns: SNSClient
  readonly sqs: SQSClient
  /** SNS without the SDK, for what is asked with each message of a client. */
  readonly publishMessage: PublishMessage
  readonly topics: Topics
  /** At most 25 characters, for SQS takes 80 for the name of a queue. */
  readonly stage: string
}

/** Clients for the life of the process; endpoint and credentials come from the environment as AWS defines it. */
export function engineClients(): Pick<FanOutClients, 'sns' | 'sqs' | 'publishMessage'> {
  // The second attempt is for a kept connection that the other side has closed.
  const retries = () => retriesWithin(createRetryBudget(), 2)
  return {
    sns: new SNSClient({ retryStrategy: retries() }),
    sqs: new SQSClient({ retryStrategy: retries(), useQueueUrlAsEndpoint: false }),
    publishMessage: snsPublisher(CALL_MS),
  }
}

/** One time limit for connecting, sending and reading the answer of a call, a second attempt included. */
export function inTime(): { readonly abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(CALL_MS) }
}
