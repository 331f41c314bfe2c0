import { describe, expect, it } from 'vitest'
import { createQueue } from '../../../../lib/adapters/fan-out/queue.ts'
import { isInstanceQueue, nameOfQueue } from '../../../../lib/adapters/fan-out/queue-names.ts'
import { ARN_OF_QUEUES, fakeEngine, TOPICS, URL_OF_QUEUES } from '../../../support/fakes/engine.ts'

const ID = '01234567-89ab-cdef-0123-456789abcdef'
const NAME = `gatehouse-test-adapter-${ID}`

describe('the queue of an instance', () => {
  it('is created with all of its attributes, and its time', async () => {
    const { engine, of } = fakeEngine()
    const queue = await createQueue(engine, ID, new Date(1_767_323_045_001))
    expect(queue).toEqual({ name: NAME, url: URL_OF_QUEUES + NAME, arn: ARN_OF_QUEUES + NAME })
    expect(of('CreateQueue')).toEqual([
      {
        QueueName: NAME,
        Attributes: {
          MessageRetentionPeriod: '300',
          ReceiveMessageWaitTimeSeconds: '20',
          SqsManagedSseEnabled: 'true',
          Policy: expect.any(String),
        },
        tags: { expires: '1767323046' },
      },
    ])
  })

  it('Q12 accepts messages only from SNS for the two topics, and only over TLS', async () => {
    const { engine, of } = fakeEngine()
    await createQueue(engine, ID, new Date())
    const [{ Attributes: attributes } = {}] = of('CreateQueue') as { Attributes?: { Policy: string } }[]
    const about = { Resource: ARN_OF_QUEUES + NAME }
    const fromTopics = { 'aws:SourceArn': Object.values(TOPICS) }
    const send = { ...about, Action: 'sqs:SendMessage' }
    expect(JSON.parse(attributes?.Policy ?? '')).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          ...send,
          Effect: 'Allow',
          Principal: { Service: 'sns.amazonaws.com' },
          Condition: { ArnEquals: fromTopics },
        },
        { ...send, Effect: 'Deny', Principal: '*', Condition: { ArnNotEquals: fromTopics } },
        {
          ...about,
          Effect: 'Deny',
          Principal: '*',
          Action: 'sqs:*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
      ],
    })
  })

  it.each([
    [NAME, true],
    ['gatehouse-test-adapter-', false],
    [`gatehouse-test-adapter-two-adapter-${ID}`, false],
    [`gatehouse-tes-adapter-${ID}`, false],
    [`${NAME}-dead`, false],
    ['gatehouse-test-retry', false],
  ])('is recognized by its name: %s %s', (name, isOne) => {
    expect(isInstanceQueue({ stage: 'test' }, name)).toBe(isOne)
  })

  it.each([URL_OF_QUEUES, ARN_OF_QUEUES, ''])('is identified by the name at the end of %s', (before) => {
    expect(nameOfQueue(before + NAME)).toBe(NAME)
  })
})
