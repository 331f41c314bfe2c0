import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sqsDeliveryQueue } from '../../../../lib/adapters/sqs/delivery-queue.ts'
import { readDeliveryHint } from '../../../../lib/deliver/hint.ts'
import { awsService } from '../../../support/aws-service.ts'

const HINT = { source: 'stripe', eventId: 'é/1', destination: 'crm', n: 2 }
const RETRY = 'https://sqs.eu-central-1.amazonaws.com/123456789012/gatehouse-prod-retry'

let service: Awaited<ReturnType<typeof awsService>>
const answering = async (answer: (response: ServerResponse) => void) => {
  service = await awsService('AWS_ENDPOINT_URL_SQS', answer)
  return service
}

afterEach(async () => {
  vi.unstubAllEnvs()
  await service.close()
})

describe('the queues of the destinations', () => {
  it('carry readable hints, each in its own queue', async () => {
    const { asked } = await answering((response) => void response.end('{}'))
    await sqsDeliveryQueue(RETRY, 5000).send(HINT, 0)
    const { headers, body } = asked()
    expect(headers['x-amz-target']).toBe('AmazonSQS.SendMessage')
    expect(body['QueueUrl']).toBe('https://sqs.eu-central-1.amazonaws.com/123456789012/gatehouse-prod-deliver-crm')
    expect(readDeliveryHint(String(body['MessageBody']))).toEqual(HINT)
  })

  it.each([
    [-1000, 0],
    [1001, 2],
    [900_001, 900],
  ])('delay %i ms by %i whole seconds, at most 900', async (delayMs, seconds) => {
    const { questions } = await answering((response) => void response.end('{}'))
    await sqsDeliveryQueue(RETRY, 5000).send(HINT, delayMs)
    expect(questions[0]?.body['DelaySeconds']).toBe(seconds)
  })

  it.each<[string, (response: ServerResponse) => void, number, string]>([
    ['are down', (response) => void response.writeHead(503).end(), 5000, 'SQS answered 503 HTTP 503'],
    ['do not answer in time', () => {}, 200, 'no answer within 200 ms'],
  ])('are UNAVAILABLE when they %s, and are called once', async (_, answer, timeout, message) => {
    const { questions } = await answering(answer)
    const sent = expect(sqsDeliveryQueue(RETRY, timeout).send(HINT, 0)).rejects
    await sent.toMatchObject({ code: 'UNAVAILABLE', cause: { message } })
    expect(questions).toHaveLength(1)
  })
})
