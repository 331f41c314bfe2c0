import { mkdirSync } from 'node:fs'
import { Server as HttpServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import { Server } from 'node:net'
import { argv, execPath } from 'node:process'
import type { DataFolder } from '../data-folder.ts'
import { type Gate, guard, machineGate } from '../guard.ts'
import { answers, type RunPart, type Starting, startChild } from '../parts.ts'
import { HOST, LISTEN_HOST } from '../ports.ts'

/** Runs SQS in this process. It accepts the host of the base URL in addition to the loopback names. */
export async function startSqs(
  port: number,
  region: string,
  data: Pick<DataFolder, 'path'>,
  baseUrl = `http://${HOST}`,
): Promise<RunPart> {
  const { startFauxqs } = await import('fauxqs')
  const dataDir = data.path('sqs')
  if (dataDir) mkdirSync(dataDir, { recursive: true })
  const options = { port, logger: false, defaultRegion: region, ...(dataDir && { dataDir }) }
  const server = await onLoopback(() => startFauxqs(options), machineGate(new URL(baseUrl)))
  return { name: 'SQS', ended: new Promise<never>(() => {}), stop: () => server.stop() }
}

/**
 * fauxqs 2.4 listens on every interface, answers every caller, and has no options for either. So this replaces the
 * address that it listens on, and gives the server a gate.
 */
async function onLoopback<T>(start: () => Promise<T>, gate: Gate): Promise<T> {
  const { listen } = Server.prototype
  Server.prototype.listen = function (this: Server, ...[options, ...others]: unknown[]) {
    if (this instanceof HttpServer) guard(this, gate)
    const address = typeof options === 'object' ? { ...options, host: LISTEN_HOST } : options
    return Reflect.apply(listen, this, [address, ...others])
  }
  try {
    return await start()
  } finally {
    Server.prototype.listen = listen
  }
}

/** Runs SQS in a process of its own, so that it can end and restart without the others. */
export function startSqsProcess(port: number, region: string, data: DataFolder, baseUrl: string): Starting {
  const command = [execPath, import.meta.filename, `${port}`, region, data.path('sqs') ?? '', baseUrl]
  const part = startChild('SQS', command, data.log.descriptor)
  return { part, up: answers(port, part) }
}

if (import.meta.main) {
  const [, , port = '', region = '', folder = '', baseUrl] = argv
  await startSqs(Number(port), region, { path: () => folder || undefined }, baseUrl)
  // A signal ends this process, and Node then does not save its compile cache.
  flushCompileCache()
}
