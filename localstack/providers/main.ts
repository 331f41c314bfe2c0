import { createServer, type RequestListener } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { guard, providerGate } from '../guard.ts'
import { HOST } from '../ports.ts'
import { clientOf, type Run } from './run.ts'

type Name = keyof Run['ports']

const { ports, baseUrl, keys }: Run = workerData

/** The embedded providers, each loaded at its first request: Google's alone takes half a second to load and make keys. */
const SERVERS: Record<Name, (port: number) => Promise<RequestListener>> = {
  async google(port) {
    const { googleServer } = await import('./google.ts')
    return googleServer(`http://${HOST}:${port}`, clientOf('google', { baseUrl }), keys)
  },
  async github() {
    const [{ served }, { githubServer }] = await Promise.all([import('./exchange.ts'), import('./github.ts')])
    return served(githubServer(clientOf('github', { baseUrl })))
  },
  async facebook() {
    const [{ served }, { facebookServer }] = await Promise.all([import('./exchange.ts'), import('./facebook.ts')])
    return served(facebookServer(clientOf('facebook', { baseUrl })))
  },
}

const gate = providerGate(new URL(baseUrl))
for (const [name, port] of Object.entries(ports)) guard(createServer(lazy(name as Name, port)), gate).listen(port, HOST)
parentPort?.postMessage('listening')

function lazy(name: Name, port: number): RequestListener {
  let loaded: Promise<RequestListener> | undefined
  return async (request, response) => {
    loaded ??= SERVERS[name](port)
    const serve = await loaded
    await serve(request, response)
  }
}
