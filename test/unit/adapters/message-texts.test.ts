import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { dynamoMessageWriter } from '../../../lib/adapters/dynamodb/messages.ts'
import { eventBridgeCarrier } from '../../../lib/adapters/eventbridge/carrier.ts'
import { sqsCarrier } from '../../../lib/adapters/sqs/carrier.ts'
import { sqsDeliveryQueue } from '../../../lib/adapters/sqs/delivery-queue.ts'
import { sqsClient, sqsReplayQueue, sqsRetryQueue } from '../../../lib/adapters/sqs/retry-queue.ts'
import { readDeliveryHint } from '../../../lib/deliver/hint.ts'
import { type BusMessage, messageOf } from '../../../lib/messages/message.ts'
import { storeMessage } from '../../../lib/messages/shared-bus.ts'
import { deadDelivery } from '../../../lib/webhooks/live/announcement.ts'
import { readHint } from '../../../lib/webhooks/retry/worker.ts'
import { A_TRACEPARENT, deliveredEvent } from '../../support/delivered-event.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { HOSTILE_IDS, PRINTABLE_ASCII, TAKEN_BY_SQS } from '../../support/hostile-ids.ts'

const RETRY = 'https://sqs.eu-central-1.amazonaws.com/123456789012/gatehouse-prod-retry'
const QUEUE = 'arn:aws:sqs:eu-central-1:123456789012:ledger'
const BUS = 'arn:aws:events:eu-central-1:123456789012:event-bus/orders'

let bodies: string[] = []
let refusal: string | undefined

async function answer(request: IncomingMessage): Promise<readonly [status: number, body: string]> {
  const body = await text(request)
  bodies.push(body)
  if (refusal !== undefined) return [400, refusal]
  const { MessageBody = '' } = JSON.parse(body)
  const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex')
  return [200, JSON.stringify({ MD5OfMessageBody, FailedEntryCount: 0, Entries: [{ EventId: '1' }] })]
}

const server = createServer(async (request, response) => {
  const [status, body] = await answer(request)
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const name of ['SQS', 'DYNAMODB', 'EVENTBRIDGE']) vi.stubEnv(`AWS_ENDPOINT_URL_${name}`, endpoint)
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'local')
  vi.stubEnv('AWS_REGION', 'eu-central-1')
})

afterAll(() => {
  vi.unstubAllEnvs()
  server.close()
  server.closeAllConnections()
})

beforeEach(() => {
  bodies = []
  refusal = undefined
})

const parcelOf = (id: string, payload: Buffer = Buffer.from(JSON.stringify({ id }))) => {
  const event = deliveredEvent({ eventId: id, eventType: id, payload })
  return { event, attempt: 1, traceparent: A_TRACEPARENT, at: START, replayId: id }
}

/** Every way out to a queue, a bus or the table of messages, with a text of a caller wherever one can be. */
const WAYS: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  'the retry queue': (id) => sqsRetryQueue(sqsClient(), RETRY).send({ source: id, eventId: id, n: 1 }, 0),
  'the replay queue': (id) => sqsReplayQueue(sqsClient(), RETRY).send({ replayId: id, step: 1 }, 0),
  'the queue of a destination': (id) =>
    sqsDeliveryQueue(RETRY, 5000).send({ source: id, eventId: id, destination: 'crm', n: 1 }, 0),
  'a queue': (id) =>
    sqsCarrier({ target: { to: 'sqs', queueArn: QUEUE, group: undefined }, timeout: 5000 }).carry(parcelOf(id)),
  'a FIFO queue': (id) =>
    sqsCarrier({ target: { to: 'sqs', queueArn: `${QUEUE}.fifo`, group: 'id' }, timeout: 5000 }).carry(parcelOf(id)),
  'a queue, beyond its limit': (id) =>
    sqsCarrier({ target: { to: 'sqs', queueArn: QUEUE, group: undefined }, timeout: 5000 }).carry(
      parcelOf(id, Buffer.alloc(2 ** 20, '日')),
    ),
  'a bus': (id) =>
    eventBridgeCarrier({ target: { to: 'eventbridge', busArn: BUS }, timeout: 5000 }).carry(parcelOf(id)),
  'an announcement': (id) =>
    store(id, messageOf(deadDelivery({ source: id, eventId: id, destination: id }, id, START))),
  'a message of the service': (id) => store('1', { destination: id, headers: { [id]: id }, body: Buffer.from(id) }),
}

function store(id: string, message: BusMessage): Promise<void> {
  return storeMessage(dynamoMessageWriter('messages', 5000), fixedClock(), id, message)
}

/** The texts that the service gets, out of what was sent. */
function textsIn(body: string): readonly string[] {
  const { Item, MessageBody, MessageGroupId = 'a', MessageDeduplicationId = 'a', Entries = [] } = JSON.parse(body)
  // DynamoDB takes any text.
  if (Item !== undefined) return []
  if (MessageBody !== undefined) return [MessageBody, MessageGroupId, MessageDeduplicationId]
  return Entries.flatMap(({ Detail, DetailType, Source }: Record<string, string>) => [Detail, DetailType, Source])
}

describe.each(Object.entries(WAYS))('what is sent to %s', (_, send) => {
  it('is printable ASCII, which every service takes, whatever a caller sent', async () => {
    for (const id of HOSTILE_IDS) await send(id)
    expect(bodies.length).toBeGreaterThanOrEqual(HOSTILE_IDS.length)
    for (const body of bodies) {
      expect(body).toMatch(PRINTABLE_ASCII)
      for (const text of textsIn(body)) {
        expect(text).toMatch(PRINTABLE_ASCII)
        expect(text).toMatch(TAKEN_BY_SQS)
      }
    }
  })
})

it('a hint arrives as it was sent', async () => {
  const names = HOSTILE_IDS.filter((id) => id.isWellFormed())
  const queue = sqsRetryQueue(sqsClient(), RETRY)
  for (const id of names) {
    await queue.send({ source: 'test', eventId: id, n: 1 }, 0)
    expect(readHint(textsIn(bodies.at(-1) ?? '')[0] ?? '')).toEqual({ source: 'test', eventId: id, n: 1 })
    const hint = { source: 'test', eventId: id, destination: 'crm', n: 1 }
    await sqsDeliveryQueue(RETRY, 5000).send(hint, 0)
    expect(readDeliveryHint(textsIn(bodies.at(-1) ?? '')[0] ?? '')).toEqual(hint)
  }
})

it('a group of a FIFO queue has at most 128 characters that SQS takes as an id', async () => {
  for (const id of HOSTILE_IDS) await WAYS['a FIFO queue']?.(id)
  for (const body of bodies) expect(textsIn(body)[1]).toMatch(/^[!-~]{1,128}$/)
})

/** Amazon SQS API Reference, SendMessage, "Errors"; EventBridge API Reference, PutEvents. */
const FINAL: readonly (readonly [code: string, message: string])[] = [
  ['InvalidMessageContents', 'Invalid characters found.'],
  ['BatchRequestTooLong', 'Batch requests cannot be longer than 1048576 bytes.'],
  ['MessageTooLong', ''],
  ['InvalidParameterValue', 'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.'],
  ['ValidationException', 'Total size of the entries in the request is over the limit.'],
]

const PASSING: readonly (readonly [code: string, message: string])[] = [
  ['AccessDeniedException', 'not allowed for this size'],
  ['QueueDoesNotExist', ''],
  ['RequestThrottled', ''],
  ['InvalidParameterValue', 'The queue is no FIFO queue.'],
]

describe('an answer is', () => {
  const refuseWith = ([code, message]: readonly [string, string]) => {
    refusal = JSON.stringify({ __type: `com.amazonaws.sqs#${code}`, message })
  }
  const hint = { source: 'test', eventId: 'a', destination: 'crm', n: 1 }

  it.each(FINAL)('a refusal for good: %s %s', async (...given) => {
    refuseWith(given)
    const refused = { name: 'MessageRefused', message: given[0] }
    await expect(sqsDeliveryQueue(RETRY, 5000).send(hint, 0)).rejects.toMatchObject(refused)
    await expect(sqsRetryQueue(sqsClient(), RETRY).send(hint, 0)).rejects.toMatchObject(refused)
    const failed = { kind: 'failed', answer: given[0], isRefused: true }
    expect(await WAYS['a queue']?.('a')).toMatchObject(failed)
    expect(await WAYS['a bus']?.('a')).toMatchObject(failed)
  })

  it.each(PASSING)('no refusal for good: %s %s', async (...given) => {
    refuseWith(given)
    await expect(sqsDeliveryQueue(RETRY, 5000).send(hint, 0)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(sqsRetryQueue(sqsClient(), RETRY).send(hint, 0)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const failed = { kind: 'failed', answer: given[0], received: expect.any(Object) }
    expect(await WAYS['a queue']?.('a')).toEqual(failed)
    expect(await WAYS['a bus']?.('a')).toEqual(failed)
  })
})
