import type { Socket } from 'node:net'
import { Client } from 'ldapts'
import { unavailable } from '../../errors.ts'
import { MessageStream } from './message-stream.ts'
import { type DirectoryServer, openSocket } from './socket.ts'

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
