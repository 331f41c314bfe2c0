import { expect, it, vi } from 'vitest'
import { localResources, type ResourceProvider, targetQueues } from '../../../../localstack/stack/resources.ts'
import { destinationsIn, EACH_KIND } from '../../../support/destinations.ts'

const template = {
  Queue: { Type: 'Queue', Properties: { Name: 'work', Redrive: { target: { 'Fn::GetAtt': ['Dead', 'Arn'] } } } },
  Dead: { Type: 'Queue', Properties: { Name: 'dead' } },
  Role: { Type: 'Role', Properties: { Name: { 'Fn::Sub': 'x' } } },
}

function stack() {
  const provider = vi.fn<ResourceProvider>(async ({ Name: name }) => ({ Ref: `http://${name}`, Arn: `arn:${name}` }))
  return { provider, resources: localResources(template, { Queue: provider }) }
}

it('creates each resource that exists locally once, with its references resolved', async () => {
  const { provider, resources } = stack()
  await resources.provideAll()
  await resources.provideAll()
  expect(provider.mock.calls).toEqual([[{ Name: 'dead' }], [{ Name: 'work', Redrive: { target: 'arn:dead' } }]])
})

it.each([
  { value: { Ref: 'Queue' }, meant: 'http://work' },
  { value: { 'Fn::GetAtt': ['Queue', 'Arn'] }, meant: 'arn:work' },
  { value: { 'Fn::GetAtt': 'Queue.Arn' }, meant: 'arn:work' },
  { value: { 'Fn::If': ['IsOn', { Ref: 'Queue' }, ''] }, meant: 'http://work' },
  { value: [{ a: { Ref: 'Dead' } }, 1, null], meant: [{ a: 'http://dead' }, 1, null] },
])('$value means $meant', async ({ value, meant }) => {
  expect(await stack().resources.resolve(value)).toEqual(meant)
})

it.each([
  { value: { Ref: 'Role' }, missing: 'Role' },
  { value: { Ref: 'Nothing' }, missing: 'Nothing' },
  { value: { 'Fn::GetAtt': ['Queue', 'Size'] }, missing: 'Queue.Size' },
])('$value is refused, because $missing does not exist locally', async ({ value, missing }) => {
  await expect(stack().resources.resolve(value)).rejects.toThrow(`${missing} does not exist locally`)
})

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
