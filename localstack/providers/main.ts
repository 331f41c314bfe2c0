import { createServer, type RequestListener } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { guard, providerGate } from '../stack/guard.ts'
import { HOST } from '../stack/ports.ts'
import { clientOf, type Run } from './client.ts'

type Name = keyof Run['ports']

const run: Run = workerData

/**
 * The embedded providers, each loaded at its first request: Google's alone takes half a second to load and make keys.
 */
const SERVERS: Record<Name, (port: number) => Promise<RequestListener>> = {
  async google(port) {
    const { googleServer } = await import('./google.ts')
    return googleServer(`http://${HOST}:${port}`, clientOf('google', run), run.keys)
  },
  async github() {
    const [{ served }, { githubServer }] = await Promise.all([import('./pages.ts'), import('./github.ts')])
    return served(githubServer(clientOf('github', run)))
  },
  async facebook() {
    const [{ served }, { facebookServer }] = await Promise.all([import('./pages.ts'), import('./facebook.ts')])
    return served(facebookServer(clientOf('facebook', run)))
  },
}

const gate = providerGate(new URL(run.baseUrl))
for (const [name, port] of Object.entries(run.ports))
  guard(createServer(withFiles(lazy(name as Name, port))), gate).listen(port, HOST)
parentPort?.postMessage('listening')

function lazy(name: Name, port: number): RequestListener {
  let loaded: Promise<RequestListener> | undefined
  return async (request, response) => {
    loaded ??= SERVERS[name](port)
    const serve = await loaded
    await serve(request, response)
  }
}

/** Also serves the files of the login pages. */
function withFiles(serve: RequestListener): RequestListener {
  return async (request, response) => {
    const { foreignFile } = await import('./pages.ts')
    const file = await foreignFile(request.url ?? '')
    if (file === undefined) serve(request, response)
    else response.writeHead(file.status, file.headers).end(file.body)
  }
}
