import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

interface RawAnswer {
  /** The status of each answer that came, in order. */
  readonly statuses: readonly number[]
  readonly text: string
  /** Whether the other end closed the connection within the time. */
  readonly isClosed: boolean
}

/** How long no further byte comes behind an answer before it counts as the last one. */
const QUIET_MS = 700

/** How long to wait for the first answer. */
const PATIENCE_MS = 20_000

/** Writes bytes to the service as they are and reads until the other end closes or nothing more comes. */
export async function sendRaw(base: string, bytes: string): Promise<RawAnswer> {
  const socket = await openSocket(base)
  const chunks: Buffer[] = []
  const isClosed = await new Promise<boolean>((resolve) => {
    let patience = setTimeout(() => resolve(false), PATIENCE_MS)
    socket.on('close', () => resolve(true))
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      clearTimeout(patience)
      patience = setTimeout(() => resolve(false), QUIET_MS)
    })
    socket.write(bytes, 'latin1')
  })
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
