import { canConnect } from '../emulators/dynamodb.ts'
import { httpAddress } from '../environment.ts'
import type { PortName } from '../ports.ts'
import type { Answering } from './service.ts'

/** In milliseconds: where nobody listens, the answer comes at once; a busy machine is slow, not broken. */
const PATIENCE = 10_000

/** The ports that answer a plain HTTP request; the others only have to accept a connection. */
const HTTP: readonly PortName[] = ['http', 'google', 'github', 'facebook', 'dynamodb', 'sqs', 'events']

/** The service on a port, if it is Gatehouse. */
export async function findService(port: number): Promise<Answering | undefined> {
  const response = await get(port, '/api/public/hello')
  const answeredAt = new Date()
  const body = (await response?.text().catch(() => '')) ?? ''
  const date = new Date(response?.headers.get('date') ?? Number.NaN)
  return response?.ok && body.includes('public endpoint') && !Number.isNaN(date.getTime())
    ? { date, answeredAt }
    : undefined
}

export async function answersOn(name: PortName, port: number): Promise<boolean> {
  return HTTP.includes(name) ? (await get(port, '/')) !== undefined : canConnect(port)
}

/** Any answer counts; undefined if none comes in time. */
function get(port: number, path: string): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(PATIENCE)
  return fetch(new URL(path, httpAddress(port)), { signal, redirect: 'manual' }).catch(() => undefined)
}
