import type { Topics } from './engine.ts'

/** The longest that SQS waits. */
export const LONG_POLL_SECONDS = 20

/** How long SQS keeps a message; an instance that was away for longer reads the store. */
const RETENTION_SECONDS = 300

/** What a queue is made with: attributes that are set later may take a minute to count (SQS, SetQueueAttributes). */
export function queueAttributes(arn: string, topics: Topics): Record<string, string> {
  return {
    MessageRetentionPeriod: `${RETENTION_SECONDS}`,
    ReceiveMessageWaitTimeSeconds: `${LONG_POLL_SECONDS}`,
    SqsManagedSseEnabled: 'true',
    Policy: JSON.stringify({ Version: '2012-10-17', Statement: statements(arn, Object.values(topics)) }),
  }
}

/** The second keeps out those of the account whose own policies would let them send. */
function statements(arn: string, topicArns: readonly string[]) {
  return [
    {
      Effect: 'Allow',
      Principal: { Service: 'sns.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: arn,
      Condition: { ArnEquals: { 'aws:SourceArn': topicArns } },
    },
    {
      Effect: 'Deny',
      Principal: '*',
      Action: 'sqs:SendMessage',
      Resource: arn,
      Condition: { ArnNotEquals: { 'aws:SourceArn': topicArns } },
    },
    {
      Effect: 'Deny',
      Principal: '*',
      Action: 'sqs:*',
      Resource: arn,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
  ]
}
