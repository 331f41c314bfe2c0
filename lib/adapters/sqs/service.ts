import type { AsciiJson } from '../../runtime/message-text.ts'
import { type JsonClient, jsonClient } from '../aws/json.ts'

/** Amazon SQS API Reference, "Making a request using the JSON protocol". */
const SQS = { name: 'sqs', contentType: 'application/x-amz-json-1.0' } as const

export const SEND_MESSAGE = 'AmazonSQS.SendMessage'

/** Amazon SQS API Reference, SendMessage. */
export interface SqsMessage {
  readonly QueueUrl: string
  readonly MessageBody: AsciiJson
  readonly DelaySeconds?: number
  readonly MessageGroupId?: string
  readonly MessageDeduplicationId?: string
}

/** @param region if it is not that of the function */
export function sqsService(region?: string): JsonClient {
  return jsonClient({ ...SQS, region })
}
