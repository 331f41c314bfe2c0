import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { followClock, sinceReset } from '../stack/clock.mjs'
import { guard, providerGate } from '../stack/guard.ts'
import { CALLED, LISTEN_HOST } from '../stack/ports.ts'
import { clientOf, type Run } from './client.ts'

type Name = keyof Run['ports']

const run: Run = workerData
await followClock()

/**
 * The embedded providers, each loaded at its first request: Google's alone takes half a second to load and make keys.
 */
const SERVERS: Record<Name, (port: number) => Promise<RequestListener>> = {
  async google(port) {
    const { openProvider } = await import('./open.ts')
    return openProvider(`http://${CALLED}:${port}`, run)
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
  guard(createServer(withFiles(lazy(name as Name, port))), gate).listen(port, LISTEN_HOST)
parentPort?.postMessage('listening')

function lazy(name: Name, port: number): RequestListener {
  const loaded = sinceReset(() => SERVERS[name](port))
  return async (request, response) => {
    keepCookies(response)
    const serve = await loaded()
    await serve(request, response)
  }
}

/** A browser does not know the time of the run: a cookie that ends by it may be over at once. Those deleted have no value. */
function keepCookies(response: ServerResponse): void {
  const { writeHead } = response
  response.writeHead = (...head: unknown[]) => {
    const cookies = [response.getHeader('set-cookie') ?? []].flat().map(String)
    const kept = cookies.map((cookie) => cookie.replace(/^([^=]+=[^;].*?); expires=[^;]+/i, '$1'))
    if (kept.length > 0) response.setHeader('set-cookie', kept)
    return Reflect.apply(writeHead, response, head)
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
