import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A client's connection, on which a request begins to arrive. */
interface Line {
  readonly client: Socket
  /** The connection to the server that belongs to this one; its answers go back to the client. */
  readonly server: () => Socket
  /** Another connection to the server, whose answers go nowhere. */
  readonly aside: () => Socket
}

/** Takes a request, in parts as they come. */
type Taker = (part: Buffer) => void

const ignore: Taker = () => {}

/** One byte each so many milliseconds. */
const DRIP_MS = 100

/** What can go wrong on the way to a server and back. */
const FAULTS = {
  none: ({ server }) => writerTo(server()),
  throttles: answering(400, 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException'),
  'throttles under another name': answering(400, 'ThrottlingException'),
  'answers 500': answering(500, 'InternalServerError'),
  'answers 503': answering(503, 'ServiceUnavailable'),
  hangs: () => ignore,
  resets({ client }) {
    client.resetAndDestroy()
    return ignore
  },
  'hangs up'({ client }) {
    client.end()
    return ignore
  },
  'loses its answer'({ client, aside }) {
    return writerTo(aside().once('data', () => client.resetAndDestroy()))
  },
  'answers drop by drop'({ client, aside }) {
    return writerTo(drip(aside(), client))
  },
} as const satisfies Record<string, (line: Line) => Taker>

export type Fault = keyof typeof FAULTS

export interface FaultProxy {
  readonly port: number
  /** What is done to all requests to come, or to so many of them. */
  set(fault: Fault, requests?: number): void
  /** How many requests came since the last call; of what is not HTTP, how many connections. */
  take(): number
  close(): Promise<void>
}

const BEGINS_REQUEST = /^(POST|GET|PUT) /

/** Stands between clients and a server of this machine, and does to each request as it is told. */
export async function faultProxy(target: number): Promise<FaultProxy> {
  const open = new Set<Socket>()
  let fault: Fault = 'none'
  let left = Number.POSITIVE_INFINITY
  let taken = 0

  function keep(socket: Socket): Socket {
    open.add(socket)
    return socket.on('error', () => {}).on('close', () => open.delete(socket))
  }

  function takeFault(): (line: Line) => Taker {
    taken += 1
    left -= 1
    return FAULTS[left < 0 ? 'none' : fault]
  }

  const server = createServer((client) => {
    keep(client)
    let own: Socket | undefined
    let take: Taker | undefined
    function aside(): Socket {
      const upstream = keep(connect(target, '127.0.0.1'))
      client.on('close', () => upstream.destroy())
      return upstream.on('close', () => client.destroy())
    }
    const line = { client, aside, server: () => (own ??= answersTo(client, aside())) }
    client.on('data', (part: Buffer) => {
      if (take === undefined || BEGINS_REQUEST.test(part.toString('latin1', 0, 8))) take = takeFault()(line)
      take(part)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    set(next, requests = Number.POSITIVE_INFINITY) {
      fault = next
      left = requests
    },
    take() {
      const count = taken
      taken = 0
      return count
    },
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}

function writerTo(socket: Socket): Taker {
  return (part) => void socket.write(part)
}

function answersTo(client: Socket, server: Socket): Socket {
  server.pipe(client)
  return server
}

/** Answers every request with this error, in the form of AWS's JSON protocols, as soon as all of it has come. */
function answering(status: number, code: string): (line: Line) => Taker {
  const body = JSON.stringify({ __type: code, message: code })
  const head = [
    `HTTP/1.1 ${status} Error`,
    'content-type: application/x-amz-json-1.0',
    `content-length: ${body.length}`,
  ]
  const answer = [...head, 'connection: close', '', body].join('\r\n')
  return ({ client }) => {
    let request = ''
    return (part) => {
      request += part.toString('latin1')
      if (isWhole(request)) client.end(answer)
    }
  }
}

function isWhole(request: string): boolean {
  const [head = '', body] = request.split(/\r\n\r\n(.*)/s)
  const [, length = '0'] = /content-length: *(\d+)/i.exec(head) ?? []
  return body !== undefined && body.length >= Number(length)
}

function drip(server: Socket, client: Socket): Socket {
  const waiting: number[] = []
  server.on('data', (chunk: Buffer) => waiting.push(...chunk))
  const timer = setInterval(() => {
    const byte = waiting.shift()
    if (byte !== undefined) client.write(Buffer.of(byte))
  }, DRIP_MS)
  client.on('close', () => clearInterval(timer))
  return server
}
