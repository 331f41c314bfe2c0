import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { unavailable } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Timers } from '../platform/timers.ts'
import { encode } from './codec/frame.ts'
import { CLOSE, refusalOf } from './refusal.ts'
import type { StompServer } from './server.ts'
import type { Sessions } from './sessions.ts'
import { tcpTransport } from './tcp.ts'
import type { Transport } from './transport.ts'

export interface TcpParts {
  readonly sessions: Sessions
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

/** STOMP over bare TCP, for the tools that speak it so; not encrypted. */
export function createTcpServer({ sessions, clock, timers, log }: TcpParts): StompServer {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', (cause) => log.info('socket broken', { cause }))
    const transport = tcpTransport(socket, timers)
    if (sessions.isFull) turnAway(socket, transport)
    else serve(socket, transport)
  })

  function serve(socket: Socket, transport: Transport): void {
    const session = sessions.open(transport)
    socket.on('data', (bytes) => session.receive(bytes))
    socket.on('end', () => transport.close(CLOSE.normal, 'bye'))
    socket.on('close', () => sessions.close(session))
  }

  /** What the client sends is read and dropped: unread bytes would reset the connection, and with it the ERROR frame. */
  function turnAway(socket: Socket, transport: Transport): void {
    socket.resume()
    const cause = new Error('no place for another connection')
    const { frame, closeCode, error } = refusalOf(unavailable(cause), { now: clock.now(), receipt: undefined })
    transport.send(encode(frame, '1.2'))
    transport.close(closeCode, error.message)
  }

  return {
    async listen(host, port) {
      server.listen(port, host)
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
    async drain(milliseconds) {
      const closed = once(server, 'close')
      server.close()
      await Promise.all([closed, sessions.drain(milliseconds)])
    },
  }
}
