import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

interface RawAnswer {
  /** The status of each answer that came, in order. */
  readonly statuses: readonly number[]
  readonly text: string
  /** Whether the other end closed the connection within the time. */
  readonly isClosed: boolean
}

/** Writes bytes to the service as they are and reads what comes until the other end closes or the time is over. */
export async function sendRaw(base: string, bytes: string, milliseconds = 1500): Promise<RawAnswer> {
  const socket = await openSocket(base)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = once(socket, 'close').then(() => true)
  socket.write(bytes, 'latin1')
  const isClosed = await Promise.race([closed, setTimeout(milliseconds, false)])
  socket.destroy()
  const text = Buffer.concat(chunks).toString('latin1')
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { statuses, text, isClosed }
}

/** A connection to the service; that the other end may reset it is no failure of the test. */
export async function openSocket(base: string, localAddress?: string): Promise<Socket> {
  const { hostname: host, port } = new URL(base)
  const socket = connect({ host, port: Number(port), ...(localAddress !== undefined && { localAddress }) })
  await once(socket, 'connect')
  return socket.on('error', () => {})
}
