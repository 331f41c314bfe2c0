import { Buffer } from 'node:buffer'
import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs'
import type { SQSEvent, SQSMessageAttributes, SQSRecord } from 'aws-lambda'

/** The event that Lambda makes of received messages (Lambda developer guide, "Using Lambda with Amazon SQS"). */
export function sqsEvent(messages: readonly Message[], queueArn: string): SQSEvent {
  return { Records: messages.map((message) => sqsRecord(message, queueArn)) }
}

function sqsRecord(message: Message, queueArn: string): SQSRecord {
  const { MessageId, ReceiptHandle, Body, Attributes, MessageAttributes, MD5OfBody, MD5OfMessageAttributes } = message
  return {
    messageId: MessageId ?? '',
    receiptHandle: ReceiptHandle ?? '',
    body: Body ?? '',
    attributes: {
      ApproximateReceiveCount: '',
      SentTimestamp: '',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '',
      ...Attributes,
    },
    messageAttributes: messageAttributes(MessageAttributes),
    md5OfBody: MD5OfBody ?? '',
    ...(MD5OfMessageAttributes !== undefined && { md5OfMessageAttributes: MD5OfMessageAttributes }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  }
}

function messageAttributes(attributes: Readonly<Record<string, MessageAttributeValue>> = {}): SQSMessageAttributes {
  const entries = Object.entries(attributes).map(([name, { StringValue, BinaryValue, DataType }]) => [
    name,
    {
      ...(StringValue !== undefined && { stringValue: StringValue }),
      ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
      stringListValues: [],
      binaryListValues: [],
      dataType: DataType ?? '',
    },
  ])
  return Object.fromEntries(entries)
}
