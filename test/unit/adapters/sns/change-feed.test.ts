import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import { mockClient } from 'aws-sdk-client-mock'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { snsChangeFeed, snsClient } from '../../../../lib/adapters/sns/change-feed.ts'

const TOPIC = 'arn:aws:sns:eu-central-1:000000000000:events'
const CHANGE = {
  changeId: '2',
  id: '1',
  source: 'payment',
  eventId: 'é/1',
  eventType: 'PAYMENT',
  status: 'PROCESSED',
  receivedAt: '2026-01-02T03:04:05.000',
}

afterEach(() => vi.unstubAllEnvs())

describe('the change feed over SNS', () => {
  it('publishes a change as JSON to its topic', async () => {
    const client = new SNSClient({ region: 'local' })
    const mock = mockClient(client)
    mock.on(PublishCommand).resolves({})
    await snsChangeFeed(client, TOPIC).publish(CHANGE)
    const [call] = mock.commandCalls(PublishCommand)
    expect(call?.args[0].input).toEqual({ TopicArn: TOPIC, Message: JSON.stringify(CHANGE) })
  })

  it.each([
    ['that is down', (answer: ServerResponse) => void answer.writeHead(500).end()],
    ['that throttles', (answer: ServerResponse) => void answer.writeHead(429).end()],
  ])('asks a topic %s once', async (_, answer) => {
    const server = await answering(answer)
    await expect(snsChangeFeed(snsClient(), TOPIC).publish(CHANGE)).rejects.toThrow()
    expect(server.requests()).toBe(1)
    await server.close()
  })

  it.each([
    ['does not answer', () => {}],
    ['does not end its answer', (answer: ServerResponse) => void answer.writeHead(200).write('<Pub')],
  ])('gives up in time on a topic that %s', async (_, answer) => {
    const server = await answering(answer)
    const started = performance.now()
    await expect(snsChangeFeed(snsClient(), TOPIC).publish(CHANGE)).rejects.toThrow()
    expect(performance.now() - started).toBeLessThan(2000)
    expect(server.requests()).toBe(1)
    await server.close()
  })
})

/** An endpoint that does so with every request. */
async function answering(answer: (response: ServerResponse) => void) {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('AWS_ENDPOINT_URL_SNS', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
  return {
    requests: () => requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
