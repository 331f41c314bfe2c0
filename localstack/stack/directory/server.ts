import { createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { LISTEN_HOST } from '../ports.ts'

/** A thread of its own, because one malformed packet ends it: ldapjs throws outside every handler. */
let loaded: ReturnType<typeof load> | undefined

/** Loads ldapjs at the first connection: most runs see none. */
async function load() {
  const [{ createDirectory }, { demoEntries }] = await Promise.all([import('./embedded.ts'), import('./entries.ts')])
  return createDirectory(demoEntries(workerData.file)).server
}

const server = createServer(async (socket) => {
  loaded ??= load()
  const directory = await loaded
  directory.emit('connection', socket)
})
server.listen(workerData.port, LISTEN_HOST, () => parentPort?.postMessage('listening'))
