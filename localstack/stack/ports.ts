import { once } from 'node:events'
import { createServer } from 'node:net'
import { env } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { StartError } from '../errors.ts'

const PORTS = {
  http: { base: 3000, purpose: 'HTTP API' },
  ws: { base: 3001, purpose: 'STOMP over WebSocket, and the stream of events' },
  google: { base: 3002, purpose: 'Google, for demo logins' },
  github: { base: 3003, purpose: 'GitHub, for demo logins' },
  facebook: { base: 3004, purpose: 'Facebook, for demo logins' },
  lambda: { base: 3005, purpose: 'invoking functions' },
  websocket: { base: 3006, purpose: "gateway's WebSockets" },
  events: { base: 4010, purpose: 'EventBridge' },
  grpc: { base: 5051, purpose: 'gRPC' },
  ldap: { base: 3389, purpose: 'directory' },
  dynamodb: { base: 8000, purpose: 'DynamoDB' },
  sqs: { base: 9324, purpose: 'SQS' },
} as const

export type PortName = keyof typeof PORTS
export type Ports = Readonly<Record<PortName, number>>

export const PORT_NAMES = Object.keys(PORTS) as readonly PortName[]

/** Where the parts of a run find each other. */
export const HOST = '127.0.0.1'

/** The address that a run listens on: all of a container's, if its ports are to be reached from outside. */
export const LISTEN_HOST = env['LISTEN_HOST'] || HOST

/** The name by which a caller reaches the run. */
export const CALLED = LISTEN_HOST === HOST ? HOST : (URL.parse(env['BASE_URL'] ?? '')?.hostname ?? HOST)

/** The highest offset keeps every port below 65,536. */
export const MAXIMUM_OFFSET = 50_000

export function portsAt(offset: number): Ports {
  return Object.fromEntries(PORT_NAMES.map((name) => [name, PORTS[name].base + offset])) as Ports
}

export function purposeOf(name: PortName): string {
  return PORTS[name].purpose
}

/** @throws StartError naming all wanted ports that another process listens on */
export async function demandFree(ports: Ports, wanted: readonly PortName[]): Promise<void> {
  const free = await Promise.all(wanted.map((name) => isFreeSoon(ports[name])))
  const taken = wanted.filter((_, index) => !free[index]).map((name) => `${ports[name]} (${purposeOf(name)})`)
  if (taken.length === 0) return
  throw new StartError(`Ports already taken: ${taken.join(', ')}. PORT_OFFSET=<n> moves every port by n.`)
}

/** A run that was just killed may take a moment to release its ports. */
async function isFreeSoon(port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 6; attempt++) {
    if (await isFree(port)) return true
    await setTimeout(100)
  }
  return false
}

/** Whether this process could listen on the port now. */
export async function isFree(port: number, host: string = LISTEN_HOST): Promise<boolean> {
  // A client of an earlier run may be retrying; its connection must not keep the port.
  const server = createServer((client) => client.destroy()).listen(port, host)
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
