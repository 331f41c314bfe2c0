import { createServer, type RequestListener } from 'node:http'
import { flushCompileCache } from 'node:module'
import { argv } from 'node:process'
import { guard, providerGate } from '../guard.ts'
import { HOST } from '../ports.ts'
import { served } from './exchange.ts'
import { facebookServer } from './facebook.ts'
import { githubServer } from './github.ts'
import { clientOf, type Run, runShape } from './run.ts'

/** The embedded providers, in a process of their own. */
const SERVERS: Record<keyof Run['ports'], (run: Run, port: number) => RequestListener> = {
  google: lazyGoogle,
  github: (run) => served(githubServer(clientOf('github', run))),
  facebook: (run) => served(facebookServer(clientOf('facebook', run))),
}

const run = runShape.parse(JSON.parse(argv[2] ?? ''))
const gate = providerGate(new URL(run.baseUrl))
for (const [name, port] of Object.entries(run.ports)) {
  const create = SERVERS[name as keyof Run['ports']]
  if (port !== undefined) guard(createServer(create(run, port)), gate).listen(port, HOST)
}
// A signal ends this process, and Node then does not save its compile cache.
flushCompileCache()

/** Loads and makes keys on first use: that takes half a second, and a start should not wait for it. */
function lazyGoogle({ keys, baseUrl }: Run, port: number): RequestListener {
  let loaded: Promise<ReturnType<typeof import('./google.ts').googleServer>> | undefined
  async function load() {
    const { googleServer } = await import('./google.ts')
    return googleServer(`http://${HOST}:${port}`, clientOf('google', { baseUrl }), keys)
  }
  return async (request, response) => {
    loaded ??= load()
    const serve = await loaded
    await serve(request, response)
  }
}
