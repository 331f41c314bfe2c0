import { Buffer } from 'node:buffer'
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { WebSocket } from 'ws'
import { type AdapterProcess, NOWHERE, startAdapter } from '../../test/support/adapter-process.ts'
import { claims, forge, HEADER } from '../../test/support/forge.ts'
import { startAccounts } from '../support/accounts.ts'
import type { Flood, FloodReport } from './flood.ts'

const SECRET = Buffer.alloc(64, 7).toString('base64url')

/** 60 % of the 1,024 MiB that the task has. */
const HEAP_MIB = 614

/** Where nobody of the crowd is. */
const OWN_ADDRESS = '127.0.2.1'

const PATIENCE_MS = 30_000

/** As the container's HEALTHCHECK has it. */
const HEALTH_TRIES = 3

export interface Siege {
  readonly descriptors: number
  readonly lives: boolean
  /** What a client with a token is told, at the first try, while the crowd is there. */
  readonly grpc: string
  readonly stomp: string
  readonly healthCheck: string
}

/** The container's process with its heap, in a crowd without a token that comes back as often as it is sent away. */
export async function besiege(crowd: Pick<Flood, 'addresses' | 'watchers' | 'sockets'>): Promise<Siege> {
  const accounts = await startAccounts()
  const settings = { ...NOWHERE, ...accounts.settings, JWT_KEYS: `test:${SECRET}`, BASE_URL: 'http://127.0.0.1' }
  const adapter = await startAdapter(settings, [`--max-old-space-size=${HEAP_MIB}`])
  const ports = { grpc: portOf(`http://${adapter.grpc}`), ws: portOf(adapter.ws) }
  const floods = [
    { ...crowd, ...ports, sockets: 0 },
    { ...crowd, ...ports, watchers: 0 },
  ].map(startFlood)
  try {
    await Promise.all(floods.map(({ settled }) => settled))
    const token = forge(claims(), HEADER, 'sha512', SECRET)
    const [grpc, stomp] = await Promise.all([
      outcomeOf((signal) => askGrpc(ports.grpc, token, signal)),
      outcomeOf((signal) => askStomp(ports.ws, token, signal)),
    ])
    return {
      healthCheck: checkHealth(ports),
      grpc,
      stomp,
      ...stateOf(adapter),
    }
  } finally {
    for (const { child } of floods) child.disconnect()
    adapter.child.kill('SIGKILL')
    await adapter.ended
    await accounts.stop()
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

/** Settled with the last report once every connection was tried and for two seconds no stream was answered, or in a minute. */
function startFlood(flood: Flood): { readonly child: ChildProcess; readonly settled: Promise<FloodReport> } {
  const child = fork(join(import.meta.dirname, 'flood.ts'), [JSON.stringify(flood)])
  const reports: FloodReport[] = []
  const { promise: settled, resolve } = Promise.withResolvers<FloodReport>()
  child.on('message', (report: FloodReport) => {
    reports.push(report)
    const isTried = report.tried >= flood.sockets + flood.watchers
    const isQuiet = reports.at(-10)?.answered === report.answered
    if ((isTried && isQuiet) || reports.length === 300) resolve(report)
  })
  return { child, settled }
}

function stateOf({ child }: AdapterProcess): Pick<Siege, 'lives' | 'descriptors'> {
  const lives = child.exitCode === null && child.signalCode === null
  return { lives, descriptors: lives ? readdirSync(`/proc/${child.pid}/fd`).length : 0 }
}

async function outcomeOf(ask: (signal: AbortSignal) => Promise<string>): Promise<string> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    return await ask(signal)
  } catch (error) {
    return String(error)
  }
}

/** The status of `WhoAmI`, or what kept it. */
async function askGrpc(port: number, token: string, signal: AbortSignal): Promise<string> {
  const session = connectHttp2(`http://127.0.0.1:${port}`, {
    createConnection: () => connect({ host: '127.0.0.1', port, localAddress: OWN_ADDRESS }),
  })
  const { promise: broken, reject } = Promise.withResolvers<never>()
  session.on('error', reject)
  const headers = { ':method': 'POST', ':path': '/gatehouse.v1.AuthService/WhoAmI', 'content-type': 'application/grpc' }
  const call = session.request({ ...headers, te: 'trailers', authorization: `Bearer ${token}` }, { signal })
  const answered = Promise.withResolvers<Readonly<Record<string, unknown>>>()
  call
    .on('response', (fields) => fields['grpc-status'] && answered.resolve(fields))
    .on('trailers', answered.resolve)
    .on('error', answered.reject)
  call.resume().end(Buffer.alloc(5))
  const fields = await Promise.race([answered.promise, broken])
  session.destroy()
  return fields['grpc-status'] === '0' ? 'OK' : `status ${fields['grpc-status']}`
}

/** The command of the first frame that comes. */
async function askStomp(port: number, token: string, signal: AbortSignal): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['v12.stomp'], { localAddress: OWN_ADDRESS })
  await once(socket, 'open', { signal })
  socket.send(`CONNECT\naccept-version:1.2\nAuthorization:Bearer ${token}\n\n\0`)
  const [answer] = await once(socket, 'message', { signal })
  socket.terminate()
  return String(answer).split('\n', 1)[0] ?? ''
}

/** What the container runs to see whether it is well. */
function checkHealth({ grpc, ws }: { readonly grpc: number; readonly ws: number }): string {
  const env = { GRPC_PORT: `${grpc}`, WS_PORT: `${ws}` }
  let complaint = ''
  for (let tried = 0; tried < HEALTH_TRIES; tried++) {
    const { status, stderr } = spawnSync(execPath, ['dist/adapter/healthcheck.mjs'], { env, encoding: 'utf8' })
    if (status === 0) return 'well'
    complaint = stderr.trim()
  }
  return `not well: ${complaint}`
}
