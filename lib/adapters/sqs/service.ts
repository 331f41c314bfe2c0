import type { AsciiJson } from '../../runtime/message-text.ts'
import { type AwsClient, accessFromEnvironment, awsClient } from '../aws/client.ts'

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
