import { createServer } from 'node:http'
import { freePort } from './free-port.ts'
import type { Served } from './served.ts'

/** Pages that begin a login, each in its own way. */
const BAIT: Readonly<Record<string, (start: string) => string>> = {
  '/frame': (start) => `<iframe src="${start}"></iframe>`,
  '/script': (start) => `<script>location.href = '${start}'</script>`,
  '/refresh': (start) => `<meta http-equiv="refresh" content="0;url=${start}">`,
  '/link': (start) => `<a href="${start}">Kittens</a>`,
}

/**
 * Pages of others, all at one port: the name of the host makes them what they are. `/victim` describes the service that
 * they attack, which is started when it is first asked for.
 */
export async function serveOtherSites(
  victim: () => Promise<Served>,
): Promise<{ readonly port: number; close(): void }> {
  const port = await freePort()
  const server = createServer(async ({ url = '' }, response) => {
    if (url === '/victim') return response.end(JSON.stringify(await victim()))
    const bait = BAIT[url]
    const page = bait ? bait(`${(await victim()).http}/oauth2/authorization/google`) : '<title>Kittens</title>'
    return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  server.listen(port, '127.0.0.1')
  return {
    port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
