import { type Finding, failing, passed } from '../../infra/finding.ts'
import type { Environment } from '../../lib/runtime/config.ts'
import { askAt } from '../api-client.ts'
import { canConnect } from '../emulators/dynamodb.ts'
import { httpAddress, wantedPorts } from '../environment.ts'
import { profileAt } from '../operator/service-profile.ts'
import { isFree, MAXIMUM_OFFSET, type PortName, portsAt, purposeOf } from '../ports.ts'

/** In milliseconds: where nobody listens, the answer comes at once; a busy machine is slow, not broken. */
const PATIENCE = 10_000

/** The ports that answer a plain HTTP request; the others only have to accept a connection. */
const HTTP: readonly PortName[] = ['http', 'google', 'github', 'facebook', 'dynamodb', 'sqs', 'events']

/** Whether all parts of a running service answer; without one, whether its ports are free. */
export async function checkRun(given: Environment, offset: number, withBus: boolean): Promise<readonly Finding[]> {
  const ports = portsAt(offset)
  const isRunning = await isOurs(ports.http)
  const profile = isRunning ? await profileAt(askAt(new URL(httpAddress(ports.http)))) : given['PROFILE']
  const wanted = wantedPorts({ ...given, PROFILE: profile }, withBus)
  return isRunning ? checkService(offset, wanted) : checkPorts(offset, wanted)
}

/** One finding per taken port, with an offset at which all are free. */
export async function checkPorts(
  offset: number,
  wanted: readonly PortName[],
  free: (port: number) => Promise<boolean> = isFree,
): Promise<readonly Finding[]> {
  const takenAt = async (other: number) => {
    const numbers = portsAt(other)
    const isThere = await Promise.all(wanted.map((name) => free(numbers[name])))
    return wanted.filter((_, index) => !isThere[index])
  }
  const taken = await takenAt(offset)
  const ports = portsAt(offset)
  if (taken.length === 0) return [passed('ports', `free: ${wanted.map((name) => ports[name]).join(', ')}`)]
  let other = 1000
  while (other <= MAXIMUM_OFFSET && (await takenAt(other)).length > 0) other += 1000
  const moved = other <= MAXIMUM_OFFSET ? other : '<n>'
  const remedy = `PORT_OFFSET=${moved} moves every port, or end the process that listens there`
  return taken.map((name) => failing('ports', `${ports[name]} (${purposeOf(name)}) is taken`, remedy))
}

/** One finding per part of a running service that does not answer. */
export async function checkService(
  offset: number,
  wanted: readonly PortName[],
  answers = answersOn,
): Promise<readonly Finding[]> {
  // The gateway listens on the port of its WebSockets only for functions that use it.
  const used = wanted.filter((name) => name !== 'websocket')
  const ports = portsAt(offset)
  const answered = await Promise.all(used.map((name) => answers(name, ports[name])))
  const silent = used.filter((_, index) => !answered[index])
  if (silent.length === 0) return [passed('service', `running, and answers on all its ${used.length} ports`)]
  return silent.map((name) => {
    const message = `${purposeOf(name)} on port ${ports[name]} does not answer`
    return failing('service', message, 'stop npm start and start it again')
  })
}

/** Whether the service on a port is Gatehouse. */
async function isOurs(port: number): Promise<boolean> {
  const response = await get(port, '/api/public/hello')
  return response?.ok === true && (await response.text().catch(() => '')).includes('public endpoint')
}

async function answersOn(name: PortName, port: number): Promise<boolean> {
  return HTTP.includes(name) ? (await get(port, '/')) !== undefined : canConnect(port)
}

/** Any answer counts; undefined if none comes in time. */
function get(port: number, path: string): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(PATIENCE)
  return fetch(new URL(path, httpAddress(port)), { signal, redirect: 'manual' }).catch(() => undefined)
}
