import type { AsciiJson } from '../../runtime/message-text.ts'
import { type AwsClient, accessFromEnvironment, awsClient, errorCodeIn } from '../aws/client.ts'

export const SEND_MESSAGE = 'AmazonSQS.SendMessage'

/** Amazon SQS API Reference, SendMessage. */
export interface SqsMessage {
  readonly QueueUrl: string
  readonly MessageBody: AsciiJson
  readonly DelaySeconds?: number
  readonly MessageGroupId?: string
  readonly MessageDeduplicationId?: string
}

/**
 * Amazon SQS API Reference, "Making a request using the JSON protocol".
 * @param region if it is not that of the function
 */
export function sqsService(region?: string): AwsClient {
  return awsClient('sqs', '1.0', () => accessFromEnvironment('sqs', 'SQS', region))
}

const GET_ATTRIBUTES = 'AmazonSQS.GetQueueAttributes'
const DEPTH = 'ApproximateNumberOfMessages'

/** The time for the answer, in milliseconds. */
const TIMEOUT_MS = 3000

/** Counts the messages of the retry queue that can be received now, approximately. @throws Error when SQS refuses */
export function retryQueueDepth(queueUrl: string): () => Promise<number> {
  const sqs = sqsService()
  return async () => {
    const answer = await sqs.ask(GET_ATTRIBUTES, { QueueUrl: queueUrl, AttributeNames: [DEPTH] }, TIMEOUT_MS)
    if (answer.status !== 200) throw new Error(`SQS answers ${errorCodeIn(answer)}`)
    const { Attributes: attributes } = JSON.parse(answer.body) as { Attributes?: Readonly<Record<string, string>> }
    return Number(attributes?.[DEPTH])
  }
}
