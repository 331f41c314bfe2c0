import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { chromiumPath } from './chromium.ts'
import { serveOtherSites } from './other-sites.ts'
import { freeOffset, startStack, temporaryFolder } from './stack.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The process that started the service. */
    readonly servicePid: number
    /** Where pages of other sites are, under any host name that leads to this machine. */
    readonly otherSitesPort: number
  }
}

/** One service for all tests in a browser. Nothing in it changes by itself while they run: retries come in an hour. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (chromiumPath() === undefined) return undefined
  const data = temporaryFolder()
  const offset = await freeOffset()
  // Another site than the providers' 127.0.0.1, so that coming back from there is cross-site, as it is in real life.
  const http = `http://localhost:${3000 + offset}`
  const jwtSecret = randomBytes(64).toString('base64url')
  const others = await serveOtherSites(http)
  const stack = await startStack({
    PORT_OFFSET: String(offset),
    DATA_DIR: data.path,
    BASE_URL: http,
    TRUSTED_ORIGINS: `http://127.0.0.1:${others.port},http://localhost:${others.port}`,
    JWT_KEYS: `test:${jwtSecret}`,
    // Attempts count while they are under way, and on a busy machine many are.
    LOGIN_FAILURES_PER_USER: '20',
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000',
    WEBHOOK_RETRY_DELAY_MINUTES: '60,60,60',
  })
  project.provide('http', http)
  project.provide('ready', stack.ready)
  project.provide('jwtSecret', jwtSecret)
  project.provide('servicePid', stack.process.pid ?? 0)
  project.provide('otherSitesPort', others.port)
  return async () => {
    others.close()
    await stack.stop()
    data.remove()
  }
}
