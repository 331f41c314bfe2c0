import { Agent, request } from 'node:http'
import type { Call } from './calls.ts'

export interface Answered {
  readonly status: number
  readonly text: string
}

/**
 * More than the service has room for, and no more: a busy Node takes few new connections in each turn of its event loop, so
 * that whoever needs a new one waits outside, where nobody can answer them.
 */
export const CONNECTIONS = 600

/** Sends calls over kept connections. */
export interface Sender {
  /** Sends again what a connection took while the other end closed it (Node, `request.reusedSocket`). @throws Error when no whole answer came */
  send(call: Call): Promise<Answered>
  close(): void
}

export function senderTo(address: string): Sender {
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo', maxSockets: CONNECTIONS })

  function send(call: Call): Promise<Answered> {
    const { method, path, headers, body } = call
    const { promise, resolve, reject } = Promise.withResolvers<Answered>()
    const sent = request(`${address}${path}`, { method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(call))
      else reject(error)
    })
    sent.end(body)
    return promise
  }

  return { send, close: () => agent.destroy() }
}
