import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { localEnvironment, TIED } from './stack.ts'

/** One call of a server that events are forwarded to. */
export interface ForwardedCall {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A server on this machine that events are forwarded to. */
export interface ForwardSink {
  readonly url: string
  readonly calls: readonly ForwardedCall[]
  /** What it answers from now on. */
  answer(status: number): void
  close(): void
}

export async function forwardSink(): Promise<ForwardSink> {
  const calls: ForwardedCall[] = []
  let status = 204
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    calls.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer(given) {
      status = given
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A line of `npx gatehouse listen --json`. */
export interface ListenLine {
  readonly kind: string
  readonly eventId?: string
  readonly cursor?: string
  readonly [name: string]: unknown
}

/** A running `npx gatehouse listen --json`. */
export interface Listening {
  readonly lines: readonly ListenLine[]
  readonly complaints: readonly string[]
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>
  signal(name: 'SIGINT' | 'SIGKILL'): void
}

/** Starts it and waits for its first line; a start that fails has none. */
export async function listening(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Listening> {
  const child = spawn(execPath, [...TIED, 'localstack/commands/listen.ts', '--json', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: localEnvironment(environment),
  })
  const lines: ListenLine[] = []
  const complaints: string[] = []
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line))
    resolve()
  })
  createInterface({ input: child.stderr }).on('line', (line) => complaints.push(line))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  await Promise.race([begun, ended])
  return { lines, complaints, ended, signal: (name) => void child.kill(name) }
}
