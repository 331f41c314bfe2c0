import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqsCarrier } from '../../lib/adapters/sqs/carrier.ts'
import { sqsDeliveryQueue } from '../../lib/adapters/sqs/delivery-queue.ts'
import { startSqs } from '../../localstack/stack/emulators/sqs.ts'
import type { RunPart } from '../../localstack/stack/parts.ts'
import { A_TRACEPARENT, deliveredEvent } from '../support/delivered-event.ts'
import { START } from '../support/fakes/clock.ts'
import { freePort } from '../support/free-port.ts'

const REGION = 'eu-central-1'

let part: RunPart
let sqs: SQSClient

beforeAll(async () => {
  const port = await freePort()
  part = await startSqs(port, REGION, { path: () => undefined })
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${port}`,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  })
  sqs = new SQSClient({ useQueueUrlAsEndpoint: false })
})

afterAll(async () => {
  sqs.destroy()
  await part.stop()
})

/** A new queue, and what arrives in it. */
async function queue(name: string, attributes: Record<string, string> = {}) {
  const { QueueUrl: url = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }))
  return {
    url,
    async receive() {
      const command = new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['MessageGroupId', 'MessageDeduplicationId'],
      })
      const { Messages: messages = [] } = await sqs.send(command)
      for (const { ReceiptHandle } of messages) {
        await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }))
      }
      return messages.map(({ Body = '', Attributes: given }) => ({ ...given, envelope: JSON.parse(Body) }))
    },
  }
}

const carrierTo = (name: string, group?: string) =>
  sqsCarrier({ target: { to: 'sqs', queueArn: `arn:aws:sqs:${REGION}:000000000000:${name}`, group }, timeout: 20_000 })

const parcel = (id: bigint, body: string | Buffer, sentAt?: Date) => ({
  event: deliveredEvent({ id, eventId: `evt_${id}`, payload: Buffer.from(body) }),
  attempt: 1,
  traceparent: A_TRACEPARENT,
  at: START,
  sentAt,
})

const DELIVERED = { kind: 'delivered', answer: 'HTTP 200' }

describe('a queue as a destination', () => {
  it('receives an envelope, or a claim check for one larger than 1 MiB', async () => {
    const { receive } = await queue('ledger')
    const carrier = carrierTo('ledger')
    expect(await carrier.carry(parcel(1n, '{"a":"é"}'))).toMatchObject(DELIVERED)
    expect(await carrier.carry(parcel(2n, Buffer.alloc(1_048_000, 'a')))).toMatchObject(DELIVERED)
    expect(await carrier.carry(parcel(3n, Buffer.alloc(1_048_576, 'a')))).toMatchObject(DELIVERED)
    const byId = new Map()
    while (byId.size < 3) for (const { envelope } of await receive()) byId.set(envelope.id, envelope)
    expect(byId.get('1')).toMatchObject({ source: 'stripe', eventId: 'evt_1', attempt: 1, body: '{"a":"é"}' })
    expect(byId.get('2').body).toHaveLength(1_048_000)
    expect(byId.get('3')).toMatchObject({ gatehouse: { ref: 'stripe/evt_3', bytes: 1_048_576 } })
  })

  it('that is FIFO receives an event once, however often it is ordered, in the order of its group', async () => {
    const { receive } = await queue('ledger.fifo', { FifoQueue: 'true' })
    const carrier = carrierTo('ledger.fifo', 'customer')
    const tries = [
      parcel(1n, '{"customer":"cus_1"}'),
      parcel(1n, '{"customer":"cus_1"}'),
      parcel(2n, '{"customer":"cus_1"}'),
      parcel(1n, '{"customer":"cus_1"}', START),
    ]
    for (const each of tries) expect(await carrier.carry(each)).toMatchObject(DELIVERED)
    expect(await carrier.carry(parcel(3n, '{}'))).toMatchObject({ ...DELIVERED, isUngrouped: true })
    const received: Awaited<ReturnType<typeof receive>> = []
    for (let last = await receive(); last.length > 0; last = await receive()) received.push(...last)
    const idsOf = (group: string) =>
      received
        .filter(({ MessageGroupId }) => MessageGroupId === group)
        .map(({ MessageDeduplicationId }) => MessageDeduplicationId)
    expect(idsOf('cus_1')).toEqual(['gh_1', 'gh_2'])
    expect(idsOf('stripe')).toEqual(['gh_3'])
  })

  it('that does not exist leads to a failed try', async () => {
    const answer = await carrierTo('nowhere').carry(parcel(1n, 'a'))
    expect(answer).toMatchObject({
      kind: 'failed',
      answer: expect.stringMatching(/QueueDoesNotExist|NonExistentQueue/),
    })
  })
})

describe('the queue of hints for deliveries', () => {
  it('receives hints in addition to the retry queue, at once or later', async () => {
    const { url, receive } = await queue('gatehouse-test-deliver-crm')
    const hints = sqsDeliveryQueue(url.replace('deliver-crm', 'retry'), 20_000)
    const hint = { source: 'stripe', eventId: 'é/1', destination: 'crm', n: 0 }
    await hints.send(hint, 0)
    await hints.send({ ...hint, n: 1 }, 900_000)
    expect((await receive()).map(({ envelope }) => envelope)).toEqual([hint])
  })
})
