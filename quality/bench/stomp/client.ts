import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** As light as a client can be: it does not read frames, but trusts that a short one comes in one piece. */
export type Client = Socket

const HANDSHAKE = [
  'GET /ws HTTP/1.1',
  'Host: 127.0.0.1',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Sec-WebSocket-Protocol: v12.stomp',
  '\r\n',
].join('\r\n')

/** What a broker wants to be told. */
export interface Dialect {
  readonly destination: string
  readonly login: Readonly<Record<string, string>>
  /** For a broker without receipts: a frame that it answers with CONNECTED, once it has heard the SUBSCRIBE before it. */
  readonly behindSubscribe?: Buffer
}

/** A broker of STOMP over WebSocket while it runs, in a process of its own. */
export interface Broker {
  readonly port: number
  readonly pid: number
}

/** Connections that have said CONNECT and SUBSCRIBE and heard that they are connected and subscribed. */
export async function subscribers(count: number, broker: Broker, dialect: Dialect): Promise<Client[]> {
  const { destination, behindSubscribe } = dialect
  const subscribe = behindSubscribe
    ? Buffer.concat([frame('SUBSCRIBE', { id: '0', destination }), behindSubscribe])
    : frame('SUBSCRIBE', { id: '0', destination, receipt: 'subscribed' })
  const all = Array.from({ length: count }, async () => {
    const client = await connected(broker, dialect)
    await exchange(client, subscribe, behindSubscribe ? 'CONNECTED' : 'RECEIPT')
    return client
  })
  return Promise.all(all)
}

/** Of WebSocket, without content; the answer is masked with zeros. */
const PING = Buffer.from([0x89, 0])
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

/** One that has heard CONNECTED. */
export async function connected({ port }: Broker, { login }: Dialect): Promise<Client> {
  const client = connect({ port, host: '127.0.0.1', noDelay: true })
  client.once('end', () => client.destroy(new Error('the broker hung up')))
  await exchange(client, HANDSHAKE, '101 Switching')
  client.on('data', (bytes: Buffer) => bytes.includes(PING) && client.write(PONG))
  const headers = { 'accept-version': '1.2,1.1', host: '/', ...login }
  await exchange(client, frame('CONNECT', headers), 'CONNECTED')
  return client
}

async function exchange(client: Client, bytes: string | Buffer, expected: string): Promise<void> {
  client.write(bytes)
  const [answer] = (await once(client, 'data')) as [Buffer]
  if (!answer.includes(expected)) throw new Error(`expected ${expected}, got ${answer}`)
}

/** Settles once the client has got a text so many times, in whatever pieces. */
export async function receivedAll(client: Client, text: string, times: number): Promise<void> {
  let tail = ''
  let left = times
  while (left > 0) {
    const [bytes] = (await once(client, 'data')) as [Buffer]
    const pieces = (tail + bytes.toString('latin1')).split(text)
    left -= pieces.length - 1
    tail = pieces.at(-1)?.slice(-text.length) ?? ''
  }
}

/** A frame of STOMP in one of WebSocket, masked with zeros. */
export function frame(command: string, headers: Readonly<Record<string, string>>, body = ''): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const payload = Buffer.from(`${command}\n${lines.join('')}\n${body}\0`)
  return Buffer.concat([Buffer.from([0x81, ...lengthOf(payload), 0, 0, 0, 0]), payload])
}

/** In as few bytes as it takes (RFC 6455 section 5.2): RabbitMQ insists. */
function lengthOf({ length }: Buffer): readonly number[] {
  return length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff]
}
