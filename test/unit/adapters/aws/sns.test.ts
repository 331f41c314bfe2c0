import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { snsPublisher } from '../../../../lib/adapters/aws/sns.ts'
import { asciiJson } from '../../../../lib/runtime/message-text.ts'

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

describe('SNS', () => {
  it('gets a message for its topic, signed', async () => {
    const server = await answering((response) => void response.end('<PublishResponse/>'))
    await snsPublisher()(TOPIC, asciiJson(CHANGE))
    const [{ headers, body } = { headers: {}, body: '' }] = server.requests
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      Action: 'Publish',
      Version: '2010-03-31',
      TopicArn: TOPIC,
      Message: asciiJson(CHANGE),
    })
    expect(headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/eu-central-1\/sns\/aws4_request,/,
      ),
    })
    await server.close()
  })

  it('sends attributes, for the filters of subscriptions', async () => {
    const server = await answering((response) => void response.end('<PublishResponse/>'))
    await snsPublisher()(TOPIC, asciiJson({}), { origin: 'one', kind: 'é' })
    expect(Object.fromEntries(new URLSearchParams(server.requests[0]?.body))).toMatchObject({
      'MessageAttributes.entry.1.Name': 'origin',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': 'one',
      'MessageAttributes.entry.2.Name': 'kind',
      'MessageAttributes.entry.2.Value.DataType': 'String',
      'MessageAttributes.entry.2.Value.StringValue': 'é',
    })
    await server.close()
  })

  it('keeps its connection', async () => {
    const server = await answering((response) => void response.end())
    const publish = snsPublisher()
    for (const changeId of ['1', '2', '3']) await publish(TOPIC, asciiJson({ ...CHANGE, changeId }))
    expect(new Set(server.requests.map(({ socket }) => socket)).size).toBe(1)
    await server.close()
  })

  it('reports the cause of a refusal, without the sent text', async () => {
    const refusal = '<ErrorResponse><Error><Type>Sender</Type><Code>AuthorizationError</Code></Error></ErrorResponse>'
    const server = await answering((response) => void response.writeHead(403).end(refusal))
    const refused = expect(snsPublisher()(TOPIC, asciiJson(CHANGE))).rejects
    await refused.toThrow(/^SNS answered 403 AuthorizationError$/)
    await server.close()
  })

  it.each([
    ['that is down', (answer: ServerResponse) => void answer.writeHead(500).end()],
    ['that throttles', (answer: ServerResponse) => void answer.writeHead(429).end()],
  ])('calls a topic %s once', async (_, answer) => {
    const server = await answering(answer)
    await expect(snsPublisher()(TOPIC, asciiJson(CHANGE))).rejects.toThrow()
    expect(server.requests).toHaveLength(1)
    await server.close()
  })

  it.each([
    ['does not answer', () => {}],
    ['does not end its answer', (answer: ServerResponse) => void answer.writeHead(200).write('<Pub')],
  ])('gives up on a topic that %s', async (_, answer) => {
    const server = await answering(answer)
    await expect(snsPublisher()(TOPIC, asciiJson(CHANGE))).rejects.toThrow()
    expect(server.requests).toHaveLength(1)
    await server.close()
  })
})

/** An endpoint that does so with every request. */
async function answering(answer: (response: ServerResponse) => void) {
  const requests: { headers: IncomingMessage['headers']; body: string; socket: unknown }[] = []
  const server = createServer(async (request, response) => {
    const { headers, socket } = request
    requests.push({ headers, socket, body: await text(request) })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('AWS_ENDPOINT_URL_SNS', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
  return {
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
