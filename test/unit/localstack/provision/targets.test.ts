import { expect, it } from 'vitest'
import { targetQueues } from '../../../../localstack/provision/targets.ts'
import { destinationsIn, EACH_KIND } from '../../../support/destinations.ts'

it('a local run creates only the queues that destinations name, FIFO or not', () => {
  const { group: _group, ...fifo } = EACH_KIND.ledger
  const plain = { ...fifo, queue: 'arn:aws:sqs:eu-central-1:123456789012:plain' }
  expect(targetQueues(destinationsIn({ ...EACH_KIND, plain }))).toEqual({
    'ledger-target': {
      Type: 'AWS::SQS::Queue',
      Properties: { QueueName: 'LedgerQueue.fifo', FifoQueue: true },
    },
    'plain-target': { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'plain' } },
  })
})
