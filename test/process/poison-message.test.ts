import {
  GetQueueAttributesCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let client: SQSClient

beforeAll(async () => {
  stack = await startStack({
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: 'memory',
    WEBHOOK_RETRY_DELAY_MINUTES: '0.02',
    WEBHOOK_RETRY_MAX_ATTEMPTS: '1',
  })
  client = new SQSClient({
    endpoint: stack.ready.sqs,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
})
afterAll(() => stack.stop())

const queueUrl = (name: string) => `${stack.ready.sqs}/000000000000/gatehouse-local-${name}`

async function countOf(name: string): Promise<number> {
  const attributes = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
  const { Attributes: counts } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl(name), AttributeNames: [...attributes] }),
  )
  return attributes.reduce((sum, attribute) => sum + Number(counts?.[attribute]), 0)
}

async function post(body: object) {
  const response = await fetch(`${stack.ready.http}/webhooks/payment`, { method: 'POST', body: JSON.stringify(body) })
  return response.status
}

async function eventOf(eventId: string) {
  const { http, users } = stack.ready
  const { username = '', password = '' } = users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const response = await fetch(`${http}/api/webhooks/events/payment/${eventId}`, { headers: { authorization } })
  return response.json() as Promise<{ readonly dead: boolean }>
}

describe('Q04 messages that are not hints', () => {
  it('end in the dead letter queue after five receives, and other retries continue', async () => {
    await client.send(
      new SetQueueAttributesCommand({ QueueUrl: queueUrl('retry'), Attributes: { VisibilityTimeout: '0' } }),
    )
    const poison = ['no JSON', '{}', '{"source":"payment"}', '[]', '{"source":1,"eventId":2,"n":-1}']
    for (const text of poison) {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl('retry'), MessageBody: text }))
    }
    const paid = { eventId: 'one', transactionId: 't', orderId: 'o', status: 'COMPLETED', currency: 'EUR', amount: 1 }
    expect([await post(paid), await post({ ...paid, eventId: 'two', orderId: 'other' })]).toEqual([200, 500])
    const limit = { timeout: 30_000, interval: 250 }
    await vi.waitUntil(async () => (await eventOf('two')).dead, limit)
    await vi.waitUntil(async () => (await countOf('retry-dead')) === poison.length, limit)
    await vi.waitUntil(async () => (await countOf('retry')) === 0, limit)
    expect(await eventOf('two')).toMatchObject({ status: 'FAILED', attempts: 1 })
  })
})
