import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { BerReader, BerWriter } from 'ldapts'

export interface FakeDirectory {
  readonly url: string
  /** How many connections there have been. */
  readonly connections: () => number
  /** How many of them are still there. */
  readonly open: () => number
  stop(): Promise<void>
}

/** A server that does with each connection as it is told. */
export async function fakeDirectory(serve: (socket: Socket) => void): Promise<FakeDirectory> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    serve(socket)
    // Whoever does not read never sees the other end go.
    socket.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `ldap://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    connections: () => connections,
    open: () => sockets.size,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const BIND = 0x60

/** The number of a request, and whether it is a bind, or a search for everybody. */
export function requestOf(data: Buffer) {
  const reader = new BerReader(data)
  reader.readSequence()
  return { id: reader.readInt() ?? 0, isBind: reader.peek() === BIND, isForAll: data.includes(EVERYBODY) }
}

/** The filter `(uid=*)`. */
const EVERYBODY = Buffer.from('\x87\x03uid', 'latin1')

/** An answer without texts: 0x61 to a bind, 0x65 to a search, 0x78 to an extended request. */
export function answer(id: number, operation: number, code: number): Buffer {
  return Buffer.from([0x30, 0x0c, 0x02, 0x01, id, operation, 0x07, 0x0a, 0x01, code, 0x04, 0x00, 0x04, 0x00])
}

/** An entry that a search found, with a name, an id and more. */
export function found(id: number, dn: string, uid: string, more: Readonly<Record<string, string>> = {}): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(0x64)
  writer.writeString(dn)
  writer.startSequence()
  for (const [attribute, value] of Object.entries({ uid, entryUUID: `id of ${uid}`, ...more })) {
    writer.startSequence()
    writer.writeString(attribute)
    writer.startSequence(0x31)
    writer.writeString(value)
    for (let open = 0; open < 2; open++) writer.endSequence()
  }
  for (let open = 0; open < 3; open++) writer.endSequence()
  return writer.buffer
}
