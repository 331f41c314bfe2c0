import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'

export interface AwsQuestion {
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
  readonly socket: Socket
}

/** A service of AWS at the address in a variable of the environment, which does so with every request. */
export async function awsService(variable: string, answer: (response: ServerResponse, question: AwsQuestion) => void) {
  const questions: AwsQuestion[] = []
  const server = createServer(async (request, response) => {
    const { headers, socket } = request
    const question = { headers, socket, body: JSON.parse(await text(request)) }
    questions.push(question)
    answer(response, question)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.stubEnv(variable, endpoint)
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
  return {
    endpoint,
    questions,
    /** The first request. */
    asked(): AwsQuestion {
      const [first] = questions
      if (first === undefined) throw new Error('nothing was asked')
      return first
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
