import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { SQSEvent } from 'aws-lambda'
import { sqsEvent } from '../../../localstack/stack/event-sources.ts'
import type { ExecutionEnvironment } from '../../../localstack/strict/execution-environment.ts'
import { LIMITS } from '../../../localstack/strict/rules.ts'
import { invocationsIn, traceAfter } from '../../../localstack/strict/traced-queue.ts'

/**
 * A queue that one function reads and sends to, with the trace of the call that sent each message, as AWS keeps it. Nobody
 * waits here: what is sent with a delay is there at once.
 */
export interface Circle {
  /** For `AWS_ENDPOINT_URL_SQS`. */
  readonly url: string
  send(body: object): void
  /**
   * Invokes the function with one message after the other, until none comes any more or Lambda stops it.
   * @param recursiveLoop the property of that name in the template
   */
  run(running: Pick<ExecutionEnvironment, 'invoke'>, recursiveLoop: string): Promise<Course>
  close(): Promise<void>
}

interface Course {
  readonly invocations: number
  /** Whether Lambda took the last message for one of an endless loop. */
  readonly isDropped: boolean
}

interface Sent {
  readonly MessageId: string
  readonly Body: string
  readonly trace: string
}

const ARN = 'arn:aws:sqs:eu-central-1:000000000000:circle'

export async function startCircle(): Promise<Circle> {
  const queue: Sent[] = []

  function send(Body: string, trace = ''): string {
    const MessageId = randomUUID()
    queue.push({ MessageId, Body, trace })
    return MessageId
  }

  async function answerTo(request: IncomingMessage): Promise<object> {
    const { MessageBody: body } = JSON.parse(await text(request))
    const MessageId = send(body, String(request.headers['x-amzn-trace-id']))
    return { MessageId, MD5OfMessageBody: createHash('md5').update(body).digest('hex') }
  }

  const server = createServer(async (request, response) => {
    const answer = JSON.stringify(await answerTo(request))
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send: (body) => void send(JSON.stringify(body)),
    async run(running, recursiveLoop) {
      let invocations = 0
      for (let sent = queue.shift(); sent; sent = queue.shift()) {
        const isLong = invocationsIn(sent.trace) >= LIMITS.loop
        if (isLong && recursiveLoop !== 'Allow') return { invocations, isDropped: true }
        await invoke(running, sqsEvent([sent], ARN), traceAfter(sent.trace))
        invocations++
      }
      return { invocations, isDropped: false }
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function invoke(running: Pick<ExecutionEnvironment, 'invoke'>, event: SQSEvent, trace: string): Promise<void> {
  const { isError, payload } = await running.invoke(event, trace)
  if (isError || payload !== '{"batchItemFailures":[]}') throw new Error(payload)
}
