import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sqsCarrier } from '../../../../lib/adapters/sqs/carrier.ts'
import { awsService } from '../../../support/aws-service.ts'
import { A_TRACEPARENT, deliveredEvent } from '../../../support/delivered-event.ts'
import { START } from '../../../support/fakes/clock.ts'

const PARCEL = { event: deliveredEvent(), attempt: 1, traceparent: A_TRACEPARENT, at: START }
const STANDARD = 'arn:aws:sqs:eu-west-1:123456789012:ledger'

const carrierTo = (queueArn: string, { group = undefined as string | undefined, timeout = 5000 } = {}) =>
  sqsCarrier({ target: { to: 'sqs', queueArn, group }, timeout })

let service: Awaited<ReturnType<typeof awsService>>
const answering = async (...given: Parameters<typeof awsService> extends [string, infer A] ? [A] : never) => {
  service = await awsService('AWS_ENDPOINT_URL_SQS', ...given)
  return service
}

afterEach(async () => {
  vi.unstubAllEnvs()
  await service.close()
})

describe('a delivery to a queue', () => {
  it('is one signed message in the region of the queue', async () => {
    const { endpoint, asked } = await answering((response) => void response.end('{}'))
    expect(await carrierTo(STANDARD).carry(PARCEL)).toMatchObject({ kind: 'delivered', answer: 'HTTP 200' })
    const { headers, body } = asked()
    expect(headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/eu-west-1\/sqs\/aws4_request,/),
    })
    expect(body).toEqual({ QueueUrl: `${endpoint}/123456789012/ledger`, MessageBody: expect.any(String) })
    expect(JSON.parse(String(body['MessageBody']))).toMatchObject({ eventId: 'evt_1', body: '{"id":"evt_1"}' })
  })

  it.each<[string, object, string | undefined, object]>([
    [
      'its source, without a path',
      {},
      undefined,
      { MessageGroupId: 'stripe', MessageDeduplicationId: 'gh_3804000000000000123' },
    ],
    ['a value of its body', {}, 'id', { MessageGroupId: 'evt_1', MessageDeduplicationId: 'gh_3804000000000000123' }],
    [
      'and id the same for an order or a replay',
      { attempt: 7, replayId: 'r', sentAt: START },
      'id',
      { MessageGroupId: 'evt_1', MessageDeduplicationId: 'gh_3804000000000000123' },
    ],
  ])('has in a FIFO queue a group: %s', async (_, changes, group, expected) => {
    const { questions } = await answering((response) => void response.end('{}'))
    await carrierTo(`${STANDARD}.fifo`, { group }).carry({ ...PARCEL, ...changes })
    expect(questions[0]?.body).toMatchObject(expected)
  })

  it.each([
    ['says so, if the body has no value at the path of a FIFO queue', `${STANDARD}.fifo`, 'customer', true],
    ['does not say so of a queue without groups', STANDARD, 'customer', undefined],
    ['does not say so without a path', `${STANDARD}.fifo`, undefined, undefined],
  ])('%s', async (_, queueArn, group, isUngrouped) => {
    await answering((response) => void response.end('{}'))
    const received = { status: 200, headers: {}, body: { text: '{}', encoding: 'utf8', isWhole: true } }
    const delivered = { kind: 'delivered', answer: 'HTTP 200', received, isUngrouped }
    expect(await carrierTo(queueArn, { group }).carry(PARCEL)).toEqual(delivered)
  })

  const SWALLOWED = expect.stringContaining('may drop this one')
  it.each([
    ['within five minutes after it may have arrived says that SQS may drop it', `${STANDARD}.fifo`, 299_999, SWALLOWED],
    ['five minutes later does not say so', `${STANDARD}.fifo`, 300_000, undefined],
    ['to a queue that drops nothing does not say so', STANDARD, 0, undefined],
  ])('that is ordered again %s', async (_, queueArn, pause, reason) => {
    await answering((response) => void response.end('{}'))
    const again = { ...PARCEL, sentAt: new Date(START.getTime() - pause) }
    expect((await carrierTo(queueArn).carry(again)) as object).toEqual(
      expect.objectContaining(reason === undefined ? { kind: 'delivered' } : { kind: 'delivered', reason }),
    )
    expect('reason' in (await carrierTo(queueArn).carry(again))).toBe(reason !== undefined)
  })

  it.each<[string, string, (response: ServerResponse) => void]>([
    [
      'QueueDoesNotExist',
      'finds no queue',
      (response) => void response.writeHead(400).end('{"message":"\\"__type\\":\\"x\\"","__type":"QueueDoesNotExist"}'),
    ],
    ['HTTP 500', 'finds SQS down', (response) => void response.writeHead(500).end('<html>')],
    ['timed out', 'finds SQS slow', () => {}],
    ['connection reset', 'finds SQS broken', (response) => void response.destroy()],
  ])('fails with %s if it %s', async (answer, _, answers) => {
    const { questions } = await answering(answers)
    const timeout = answer === 'timed out' ? 100 : 5000
    expect(await carrierTo(STANDARD, { timeout }).carry(PARCEL)).toMatchObject({ kind: 'failed', answer })
    expect(questions).toHaveLength(1)
  })

  it('keeps its connection, and replaces it when it is dead', async () => {
    const { questions } = await answering((response, { socket }) => {
      if (questions.filter((one) => one.socket === socket).length === 3) socket.resetAndDestroy()
      else response.end('{}')
    })
    const carrier = carrierTo(STANDARD)
    for (let count = 0; count < 3; count++) expect(await carrier.carry(PARCEL)).toMatchObject({ kind: 'delivered' })
    const sockets = questions.map(({ socket }) => socket)
    expect([new Set(sockets).size, new Set(sockets.slice(0, 3)).size]).toEqual([2, 1])
  })

  it('waits without credentials, which does not count as a failure of the queue', async () => {
    await answering((response) => void response.end('{}'))
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', 'http://127.0.0.1:1/')
    await expect(carrierTo(STANDARD).carry(PARCEL)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

it('identifies a queue by its ARN', async () => {
  await answering((response) => void response.end('{}'))
  for (const text of ['ledger', 'arn:aws:sqs:::ledger']) {
    expect(() => carrierTo(text)).toThrow('this is no ARN of a region')
  }
})
