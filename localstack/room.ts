import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** What is asked of Node's messages. */
interface Emitter {
  once(event: 'end' | 'close', listener: () => void): unknown
}

/** As many calls as may be under way at a time, like the instances that an account lets Lambda run. */
export interface Room {
  readonly isFull: boolean
  /** Counts a call from when its request has arrived as a whole, until its answer is over, given or not. */
  enter(request: Emitter & { readonly complete: boolean }, answer: Emitter): void
}

export function roomFor(most: number): Room {
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
      // What came in one piece is complete once Node has parsed the piece. Whoever never ends a request takes up no room.
      queueMicrotask(() => {
        if (request.complete) count()
        else request.once('end', count)
      })
    },
  }
}

/** Lets a server see only what there is room for; the rest gets the answer that an HTTP API gives when Lambda throttles. */
export function admitOnly(server: Server, room: Room): void {
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
