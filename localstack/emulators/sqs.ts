import { mkdirSync } from 'node:fs'
import { Server } from 'node:net'
import type { DataFolder } from '../data-folder.ts'
import { HOST } from '../ports.ts'
import type { Part } from '../supervisor.ts'

/** Runs SQS and SNS in this process. */
export async function startSqs(port: number, region: string, data: Pick<DataFolder, 'path'>): Promise<Part> {
  const { startFauxqs } = await import('fauxqs')
  const dataDir = data.path('sqs')
  if (dataDir) mkdirSync(dataDir, { recursive: true })
  const options = { port, logger: false, defaultRegion: region, ...(dataDir && { dataDir }) }
  const server = await onLoopback(() => startFauxqs(options))
  return { name: 'SQS', ended: new Promise<never>(() => {}), stop: () => server.stop() }
}

/** fauxqs 2.4 listens on every interface and has no option for it, so the address is replaced on its way. */
async function onLoopback<T>(start: () => Promise<T>): Promise<T> {
  const { listen } = Server.prototype
  Server.prototype.listen = function (this: Server, ...[options, ...others]: unknown[]) {
    const address = typeof options === 'object' ? { ...options, host: HOST } : options
    return Reflect.apply(listen, this, [address, ...others])
  }
  try {
    return await start()
  } finally {
    Server.prototype.listen = listen
  }
}
