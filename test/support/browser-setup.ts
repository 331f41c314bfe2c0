import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { chromiumPath } from './chromium.ts'
import { serveOtherSites } from './other-sites.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from './stack.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The process that started the service. */
    readonly servicePid: number
    /** Where pages of other sites are, under any host name that leads to this machine. */
    readonly otherSitesPort: number
  }
}

/** Nothing in a service changes by itself while the tests run: retries come in an hour. */
const CALM = {
  // Attempts count while they are under way, and on a busy machine many are.
  LOGIN_FAILURES_PER_USER: '20',
  WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000',
  WEBHOOK_RETRY_DELAY_MINUTES: '60,60,60',
}

/** One service for all tests in a browser, and a second one for those that ask for it (`localhost.ts`). */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (chromiumPath() === undefined) return undefined
  const data = temporaryFolder()
  const jwtSecret = randomBytes(64).toString('base64url')
  let second: Promise<Stack> | undefined
  const others = await serveOtherSites(async () => {
    second ??= startSecond(others.port)
    const { ready } = await second
    return { http: `http://localhost:${new URL(ready.http).port}`, ready, jwtSecret }
  })
  const stack = await startStack({
    ...CALM,
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: data.path,
    JWT_KEYS: `test:${jwtSecret}`,
  })
  project.provide('http', stack.ready.http)
  project.provide('ready', stack.ready)
  project.provide('jwtSecret', jwtSecret)
  project.provide('servicePid', stack.process.pid ?? 0)
  project.provide('otherSitesPort', others.port)
  return async () => {
    others.close()
    await Promise.all([stack.stop(), second?.then((started) => started.stop())])
    data.remove()
  }
}

/** Another site than the providers' 127.0.0.1, so that coming back from there is cross-site, as it is in real life. */
async function startSecond(otherSitesPort: number): Promise<Stack> {
  const offset = await freeOffset()
  return startStack({
    ...CALM,
    PORT_OFFSET: String(offset),
    DATA_DIR: 'memory',
    BASE_URL: `http://localhost:${3000 + offset}`,
    TRUSTED_ORIGINS: `http://127.0.0.1:${otherSitesPort},http://localhost:${otherSitesPort}`,
  })
}
