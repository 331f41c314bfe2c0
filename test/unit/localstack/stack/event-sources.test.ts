import type { SQSRecord } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { eventSource, settled, sqsEvent } from '../../../../localstack/stack/event-sources.ts'

const ARN = 'arn:aws:sqs:eu-central-1:000000000000:gatehouse-local-retry'

const records: readonly SQSRecord[] = sqsEvent(
  [{ MessageId: 'a' }, { MessageId: 'b' }, { MessageId: 'c' }],
  ARN,
).Records

const failures = (...ids: readonly unknown[]) =>
  JSON.stringify({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) })

const all = ['a', 'b', 'c']

describe('a function that reports its failures', () => {
  it.each([
    { answer: 'an empty list of failures', payload: failures(), deleted: all },
    { answer: 'a null list of failures', payload: '{"batchItemFailures":null}', deleted: all },
    { answer: 'an empty object', payload: '{}', deleted: all },
    { answer: 'null', payload: 'null', deleted: all },
    { answer: 'nothing', payload: '', deleted: all },
    { answer: 'one failure', payload: failures('b'), deleted: ['a', 'c'] },
    { answer: 'an id that was not sent', payload: failures('b', 'x'), deleted: [] },
    { answer: 'an empty id', payload: failures(''), deleted: [] },
    { answer: 'a null id', payload: failures(null), deleted: [] },
    { answer: 'a failure under another name', payload: '{"batchItemFailures":[{"id":"b"}]}', deleted: [] },
    { answer: 'a list that is none', payload: '{"batchItemFailures":"b"}', deleted: [] },
    { answer: 'no JSON', payload: '<html>', deleted: [] },
  ])('has $deleted deleted when it answers $answer', ({ payload, deleted }) => {
    expect(idsOf(settled(records, { isError: false, payload }, true))).toEqual(deleted)
  })

  it('has no message deleted when it fails, for any answer', () => {
    expect(settled(records, { isError: true, payload: failures() }, true)).toEqual([])
  })
})

describe('a function that does not report its failures', () => {
  it('has every message deleted when it succeeds, for any answer', () => {
    expect(settled(records, { isError: false, payload: failures('b') }, false)).toBe(records)
  })

  it('has no message deleted when it fails', () => {
    expect(settled(records, { isError: true, payload: '' }, false)).toEqual([])
  })
})

it.each([
  { declared: ARN, batchSize: 10, pollers: 1, reportsFailures: false },
  { declared: { arn: ARN, batchSize: 3 }, batchSize: 3, pollers: 1, reportsFailures: false },
  {
    declared: { arn: ARN, functionResponseType: 'ReportBatchItemFailures' },
    batchSize: 10,
    pollers: 1,
    reportsFailures: true,
  },
  { declared: { arn: ARN, maximumConcurrency: 1000 }, batchSize: 10, pollers: 5, reportsFailures: false },
])(
  'the declaration of an event source $declared receives $batchSize messages at once, in $pollers calls at once',
  ({ declared, ...expected }) => {
    expect(eventSource('retry', declared)).toEqual({ functionName: 'retry', queueArn: ARN, ...expected })
  },
)

describe('the event of received messages', () => {
  it('has the structure of Lambda’s events', () => {
    const message = {
      MessageId: 'm1',
      ReceiptHandle: 'receipt',
      Body: '{"n":0}',
      MD5OfBody: 'c4ca4238a0b923820dcc509a6f75849b',
      MD5OfMessageAttributes: '0cc175b9c0f1b6a831c399e269772661',
      Attributes: {
        ApproximateReceiveCount: '2',
        SentTimestamp: '1763700000000',
        SenderId: '000000000000',
        ApproximateFirstReceiveTimestamp: '1763700001000',
      },
      MessageAttributes: {
        word: { DataType: 'String', StringValue: 'text' },
        bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([255, 0]) },
      },
    }
    expect(sqsEvent([message], ARN)).toEqual({
      Records: [
        {
          messageId: 'm1',
          receiptHandle: 'receipt',
          body: '{"n":0}',
          attributes: message.Attributes,
          messageAttributes: {
            word: { dataType: 'String', stringValue: 'text', stringListValues: [], binaryListValues: [] },
            bytes: { dataType: 'Binary', binaryValue: '/wA=', stringListValues: [], binaryListValues: [] },
          },
          md5OfBody: 'c4ca4238a0b923820dcc509a6f75849b',
          md5OfMessageAttributes: '0cc175b9c0f1b6a831c399e269772661',
          eventSource: 'aws:sqs',
          eventSourceARN: ARN,
          awsRegion: 'eu-central-1',
        },
      ],
    })
  })

  it('has no digest without attributes', () => {
    expect(records[0]).not.toHaveProperty('md5OfMessageAttributes')
  })
})

function idsOf(some: readonly SQSRecord[]): readonly string[] {
  return some.map(({ messageId }) => messageId)
}
