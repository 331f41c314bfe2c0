import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** The part of Node's messages that this file uses. */
interface Emitter {
  once(event: 'end' | 'close', listener: () => void): unknown
}

/** Limits the number of concurrent calls, as the concurrency limit of an account limits Lambda. */
export interface Concurrency {
  readonly isFull: boolean
  /** Counts a call from the complete arrival of its request until its answer ends, sent or not. */
  enter(request: Emitter & { readonly complete: boolean }, answer: Emitter): void
}

export function concurrencyOf(most: number): Concurrency {
  let inside = 0
  return {
    get isFull() {
      return inside >= most
    },
    enter(request, answer) {
      const count = () => {
        inside += 1
        answer.once('close', () => {
          inside -= 1
        })
      }
      // A request that arrived in one piece is complete once Node has parsed it. A request that never ends takes up no
      // room.
      queueMicrotask(() => {
        if (request.complete) count()
        else request.once('end', count)
      })
    },
  }
}

/**
 * Passes only calls that there is room for to a server; the others get the answer of an HTTP API whose Lambda
 * throttles.
 */
export function admitOnly(server: Server, room: Concurrency): void {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (room.isFull) {
      refuse(response)
      return
    }
    room.enter(request, response)
    for (const listener of listeners) listener.call(server, request, response)
  })
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
  response.end('{"message":"Service Unavailable"}')
}
