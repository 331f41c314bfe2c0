/** One process of a crowd without a token: opens connections from many addresses, and opens again each that is closed. */
export interface Flood {
  readonly grpc: number
  readonly ws: number
  /** From `127.0.1.1` on. */
  readonly addresses: number
  /** Of `Health/Watch`, on as many connections as it takes. */
  readonly streams: number
  /** A third each: to gRPC and to WebSocket without a word, and WebSockets that are opened and send no CONNECT. */
  readonly sockets: number
}

export interface FloodReport {
  readonly tried: number
  /** Streams that were told the health at least once. */
  readonly answered: number
}

export const STREAMS_PER_CONNECTION = 100
