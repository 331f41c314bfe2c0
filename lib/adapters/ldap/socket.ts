import { Buffer } from 'node:buffer'
import { on, once } from 'node:events'
import { isIP, type Socket, connect as tcp } from 'node:net'
import { connect as tls } from 'node:tls'
import { BerReader, Client, ExtendedRequest, ExtendedResponse } from 'ldapts'
import { unavailable } from '../../errors.ts'
import { MessageStream, sizeOfMessage } from './message-stream.ts'

/** Where a directory listens, and how its connections are protected. */
export interface DirectoryServer {
  readonly url: URL
  /** Whether an `ldap:` connection is turned into TLS before anything else. */
  readonly startTls: boolean
  /** The authorities that may sign the server's certificate, in PEM form; undefined for those of the system. */
  readonly ca: string | undefined
}

const START_TLS = '1.3.6.1.4.1.1466.20037'

/**
 * A fresh connection, ready for its first request; certificates are always verified.
 * @param keep receives each socket as soon as it exists
 * @throws any error of the connection, or the reason of the signal if it came first
 */
async function openSocket(
  { url, startTls, ca }: DirectoryServer,
  keep: (socket: Socket) => void,
  signal: AbortSignal,
): Promise<Socket> {
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  const isTls = url.protocol === 'ldaps:'
  const identity = { host, ...(ca && { ca }), ...(isIP(host) === 0 && { servername: host }) }
  const port = Number(url.port) || (isTls ? 636 : 389)
  const socket = isTls ? tls({ ...identity, port }) : tcp(port, host)
  await opened(socket, isTls ? 'secureConnect' : 'connect')
  if (!startTls) return socket
  await requestTls(socket, signal)
  const secured = tls({ ...identity, socket })
  await opened(secured, 'secureConnect')
  return secured

  async function opened(opening: Socket, event: string): Promise<void> {
    // The pending call reports errors; without a listener a late error would end the process.
    opening.on('error', () => {})
    keep(opening)
    await once(opening, event, { signal })
  }
}

/**
 * Starts TLS (RFC 4511 section 4.14). ldapts must not do it: it keeps cleartext that follows the answer, and reads it
 * as the beginning of the TLS data. So an attacker on the network could forge the answer to a bind.
 */
async function requestTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(new ExtendedRequest({ messageId: 1, oid: START_TLS }).write())
  let answer = Buffer.alloc(0)
  for await (const [data] of on(socket, 'data', { signal, close: ['end', 'close'] })) {
    answer = Buffer.concat([answer, data])
    if (answer.length >= (sizeOfMessage(answer) ?? Number.POSITIVE_INFINITY)) break
  }
  if (answer.length !== sizeOfMessage(answer)) throw new Error('The directory did not answer StartTLS properly')
  const reader = new BerReader(answer)
  reader.readSequence()
  const response = new ExtendedResponse({ messageId: reader.readInt() ?? 0 })
  const operation = reader.readSequence()
  response.parse(reader, [])
  if (response.messageId !== 1 || operation !== response.protocolOperation || response.status !== 0)
    throw new Error(`The directory refused StartTLS with code ${response.status}`)
}

/** The time limit of one call in all, in milliseconds. */
const DEADLINE = 3000

/** A new connection without a bind. */
export type Connect = () => Promise<Client>

/**
 * Talks to the directory over connections of its own, which end with it. A frozen function's connections would be
 * dead when it continues, and ldapts would replace them by anonymous ones.
 * @throws ServiceError `UNAVAILABLE` for everything that the talk throws, and when it takes too long
 */
export async function converse<T>(server: DirectoryServer, talk: (connect: Connect) => Promise<T>): Promise<T> {
  const sockets: Socket[] = []
  const clients: Client[] = []
  const over = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const deadline = setTimeout(() => reject(new Error('The directory took too long')), DEADLINE)

  async function connect(): Promise<Client> {
    over.signal.throwIfAborted()
    const client = clientOf(await openSocket(server, (socket) => sockets.push(socket), over.signal))
    clients.push(client)
    return client
  }

  try {
    const answer = await Promise.race([talk(connect), late])
    await Promise.race([Promise.allSettled(clients.map((client) => client.unbind())), late.catch(() => {})])
    return answer
  } catch (error) {
    throw unavailable(error)
  } finally {
    clearTimeout(deadline)
    over.abort()
    for (const socket of sockets) socket.destroy()
  }
}

/** @param socket is connected; its client has no other */
function clientOf(socket: Socket): Client {
  const unused = [new MessageStream(socket)]
  return new Client({
    url: 'ldap://connected-already',
    timeout: DEADLINE,
    connectTimeout: DEADLINE,
    createConnection() {
      const stream = unused.pop()
      if (stream === undefined) throw new Error('The directory closed the connection')
      // It has the part of a socket that ldapts uses.
      return stream as unknown as Socket
    },
  })
}
