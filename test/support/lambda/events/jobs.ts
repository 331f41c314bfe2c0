import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Callers } from '../callers.ts'
import type { JobCases } from './case.ts'
import { postJson } from './requests.ts'

/** SQS's event for messages that nobody sent. */
function sqsBatch(...bodies: readonly string[]): { readonly Records: readonly object[] } {
  const records = bodies.map((body, index) => ({
    messageId: `message-${index}`,
    receiptHandle: `handle-${index}`,
    body,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1767225600000',
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      ApproximateFirstReceiveTimestamp: '1767225600001',
    },
    messageAttributes: {},
    md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:gatehouse-prod-retry',
    awsRegion: 'eu-central-1',
  }))
  return { Records: records }
}

/** EventBridge user guide, "Scheduled Events". */
const SCHEDULED = {
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '000000000000',
  time: '2026-01-01T00:00:00Z',
  region: 'eu-central-1',
  resources: ['arn:aws:events:eu-central-1:000000000000:rule/gatehouse-prod-RetryScan'],
  detail: {},
}

const failures = (...identifiers: readonly string[]) =>
  z.strictObject({
    batchItemFailures: z.tuple(
      identifiers.map((itemIdentifier) => z.strictObject({ itemIdentifier: z.literal(itemIdentifier) })) as never,
    ),
  })

/** What queues and the schedule hand over. */
export function jobs({ bearer, call, failedEvent, newReplay, receive }: Callers): JobCases {
  /** A message that a function has put into a queue, and one that nobody of us has. */
  async function withPoison(queue: string): Promise<object> {
    const { Records: sent } = await receive(queue)
    return { Records: [...sent, ...sqsBatch('no hint').Records] }
  }

  return {
    retryEvent: [
      {
        what: 'a hint of an event that is no more',
        event: () => sqsBatch(JSON.stringify({ source: 'payment', eventId: `pay-${randomUUID()}`, n: 0 })),
        result: failures(),
      },
      {
        what: 'a batch of a hint and of what is none',
        event: async () => {
          const target = `/api/webhooks/events/payment/${await failedEvent()}/retry`
          await call('webhookEventRetry', postJson(target, {}, await bearer('ROLE_ADMIN')))
          return withPoison('retry')
        },
        result: failures('message-0'),
      },
    ],
    replayStep: [
      {
        what: 'a hint of a replay that is no more',
        event: () => sqsBatch(JSON.stringify({ replayId: `replay-${randomUUID()}`, step: 0 })),
        result: failures(),
      },
      {
        what: 'the step of a replay',
        event: async () => {
          await newReplay()
          return receive('replay')
        },
        result: failures(),
      },
    ],
    retryScan: [
      {
        what: 'a schedule',
        event: () => SCHEDULED,
        result: z.strictObject({ sent: z.number(), oldestDueMs: z.number() }),
      },
    ],
  }
}
