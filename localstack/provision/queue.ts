import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueNameExists,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import type { ResourceProvider } from './provider.ts'

/**
 * Creates queues; an existing queue with other attributes gets the wanted ones.
 * @param endpoint the address of all queues: an emulator's own queue URLs may name a host that does not resolve
 */
export function queueProvider(client: SQSClient, endpoint: string): ResourceProvider {
  return async ({ QueueName: queueName, Tags: _tags, ...attributes }) => {
    const url = await create(client, String(queueName), textsOf(attributes))
    const { Attributes: present } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
    )
    return { Ref: new URL(new URL(url).pathname, endpoint).href, Arn: present?.QueueArn ?? '' }
  }
}

async function create(client: SQSClient, name: string, attributes: Record<string, string>): Promise<string> {
  try {
    const { QueueUrl: url = '' } = await client.send(
      new CreateQueueCommand({ QueueName: name, Attributes: attributes }),
    )
    return url
  } catch (error) {
    if (!(error instanceof QueueNameExists)) throw error
    const { QueueUrl: url = '' } = await client.send(new GetQueueUrlCommand({ QueueName: name }))
    await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: attributes }))
    return url
  }
}

/** CloudFormation has numbers, booleans and objects where the SQS API expects texts. */
function textsOf(attributes: object): Record<string, string> {
  const entries = Object.entries(attributes).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return Object.fromEntries(entries)
}
