import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'

/** Speaks TLS for a server of this machine that does not. */
export async function tlsFront(port: number, { certificate, key }: { certificate: string; key: string }) {
  const open = new Set<Socket>()
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (outside) => {
    const inside = connect(port, '127.0.0.1')
    for (const [socket, other] of [[outside, inside] as const, [inside, outside] as const]) {
      open.add(socket)
      socket.setNoDelay()
      socket.on('error', () => other.destroy())
      socket.on('close', () => open.delete(socket))
      socket.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}
