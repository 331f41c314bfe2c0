import { once } from 'node:events'
import { serveDirectory } from '../../localstack/stack/directory/embedded.ts'
import { parseLdif } from '../../localstack/stack/directory/entries.ts'
import { freePort } from './free-port.ts'

/** The directory of a local run, with the given entries, in this process. */
export async function startEmbedded(ldif: string, port?: number) {
  const own = port ?? (await freePort())
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = serveDirectory(parseLdif(ldif), own, resolve)
  await promise
  return {
    port: own,
    ldap: `ldap://127.0.0.1:${own}`,
    async stop() {
      const closed = once(server, 'close')
      server.close(() => {})
      await closed
    },
  }
}
