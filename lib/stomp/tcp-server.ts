import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { unavailable } from '../errors.ts'
import type { ChannelServer } from '../runtime/channel-server.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Place } from '../runtime/places.ts'
import type { Strangers } from '../runtime/strangers.ts'
import type { Timers } from '../runtime/timers.ts'
import { encode } from './codec/frame.ts'
import { CLOSE, refusalOf } from './refusal.ts'
import type { StompSessions } from './sessions.ts'
import { tcpTransport } from './tcp.ts'

export interface TcpParts {
  readonly sessions: StompSessions
  readonly strangers: Strangers
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

/** After so much silence, in milliseconds, the system checks whether the client still exists: TCP has no ping. */
const IDLE_MS = 20_000

/** STOMP over bare TCP, for tools that do not use WebSocket; not encrypted. */
export function createTcpServer({ sessions, strangers, clock, timers, log }: TcpParts): ChannelServer {
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: IDLE_MS }, (socket) => {
    socket.on('error', (cause) => log.info('socket broken', { cause }))
    const place = strangers.take({ peer: socket.remoteAddress }, () => socket.destroy())
    if (!place) {
      turnAway(socket)
      return
    }
    socket.once('close', place.leave)
    if (sessions.isDraining) turnAway(socket)
    else serve(socket, place)
  })

  function serve(socket: Socket, place: Place): void {
    const transport = tcpTransport(socket, timers)
    const session = sessions.open(transport, place.leave)
    socket.on('data', (bytes) => session.receive(bytes))
    socket.on('end', () => transport.close(CLOSE.normal, 'bye'))
    socket.on('close', () => sessions.close(session))
  }

  /** Closes at once: no place is free. */
  function turnAway(socket: Socket): void {
    const cause = new Error('no place for another connection')
    const { frame } = refusalOf(unavailable(cause), { now: clock.now(), receipt: undefined })
    socket.end(encode(frame, '1.2'), () => socket.destroy())
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
