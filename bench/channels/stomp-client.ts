import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { tokens } from './tokens.ts'

const USERS = 100

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

const USER_TOKENS = await Promise.all(
  Array.from({ length: USERS }, (_, number) => tokens.issue(`user-${number}`, 'ROLE_USER')),
)

/** Connections that have said CONNECT and SUBSCRIBE and heard that they are connected and subscribed. */
export async function subscribers(count: number, port: number, destination: string): Promise<Client[]> {
  const clients: Client[] = []
  const subscribe = frame('SUBSCRIBE', { id: '0', destination, receipt: 'subscribed' })
  while (clients.length < count) {
    const wave = Array.from({ length: Math.min(USERS, count - clients.length) }, async (_, user) => {
      const client = await connected(port, user)
      await exchange(client, subscribe, 'RECEIPT')
      return client
    })
    clients.push(...(await Promise.all(wave)))
  }
  return clients
}

/** One that has heard CONNECTED. */
export async function connected(port: number, user: number): Promise<Client> {
  const client = connect({ port, host: '127.0.0.1', noDelay: true })
  await exchange(client, HANDSHAKE, '101 Switching')
  const authorization = `Bearer ${USER_TOKENS[user]}`
  await exchange(client, frame('CONNECT', { 'accept-version': '1.2', host: 'gatehouse', authorization }), 'CONNECTED')
  return client
}

async function exchange(client: Client, bytes: string | Buffer, expected: string): Promise<void> {
  client.write(bytes)
  const [answer] = (await once(client, 'data')) as [Buffer]
  if (!answer.includes(expected)) throw new Error(`expected ${expected}, got ${answer}`)
}

/** A frame of STOMP in one of WebSocket, masked with zeros. */
export function frame(command: string, headers: Readonly<Record<string, string>>, body = ''): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const payload = Buffer.from(`${command}\n${lines.join('')}\n${body}\0`)
  const head = Buffer.from([0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
