import { Buffer } from 'node:buffer'
import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { FRAME, frame, headersFrame, lastData, PREFACE } from '../../test/support/raw-http2.ts'

/** One process of a crowd without a token: opens connections from many addresses, and opens again each that is closed. */
export interface Flood {
  readonly grpc: number
  readonly ws: number
  /** From `127.0.1.1` on. */
  readonly addresses: number
  /** Connections with 100 streams of `Health/Watch` each. */
  readonly watchers: number
  /** A third each: to gRPC and to WebSocket without a word, and WebSockets that are opened and send no CONNECT. */
  readonly sockets: number
}

export interface FloodReport {
  readonly tried: number
  /** Streams that were told the health at least once. */
  readonly answered: number
}

const STREAMS_PER_CONNECTION = 100
const PAUSE_MS = 10_000

const WATCH = [
  [':method', 'POST'],
  [':scheme', 'http'],
  [':path', '/grpc.health.v1.Health/Watch'],
  [':authority', 'gatehouse'],
  ['te', 'trailers'],
  ['content-type', 'application/grpc'],
] as const

const UPGRADE =
  'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

/** A message of no field. */
const EMPTY = Buffer.alloc(5)

const watches = Buffer.concat([
  Buffer.from(PREFACE),
  frame(FRAME.settings, 0, 0),
  ...Array.from({ length: STREAMS_PER_CONNECTION }, (_, index) =>
    Buffer.concat([headersFrame(index * 2 + 1, WATCH), lastData(index * 2 + 1, EMPTY)]),
  ),
])

const { grpc, ws, addresses, watchers, sockets }: Flood = JSON.parse(process.argv[2] ?? '')
const report = { tried: 0, answered: 0 }
const addressOf = (index: number) => `127.0.1.${(index % addresses) + 1}`

for (let index = 0; index < watchers; index++) {
  keepOpen(addressOf(index), grpc, watches, countAnswers)
}
for (let index = 0; index < sockets; index++) {
  const [port, bytes] = ([[grpc], [ws], [ws, UPGRADE]] as const)[index % 3] ?? [ws]
  keepOpen(addressOf(index), port, bytes)
}
setInterval(() => process.send?.(report), 200)
process.once('disconnect', () => process.exit())

function keepOpen(localAddress: string, port: number, bytes?: Buffer | string, watch?: (socket: Socket) => void): void {
  let isFirst = true
  function open(): void {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    if (bytes !== undefined) socket.write(bytes)
    socket.on('error', () => {})
    socket.once('close', () => setTimeout(open, PAUSE_MS))
    if (watch) watch(socket)
    else socket.resume()
    if (isFirst) report.tried += 1
    isFirst = false
  }
  open()
}

/** Frames of data, one a stream: nothing is as long as to come in two pieces often. */
function countAnswers(socket: Socket): void {
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
      if (received.readUInt8(3) === FRAME.data) report.answered += 1
      received = received.subarray(9 + received.readUIntBE(0, 3))
    }
  })
}
