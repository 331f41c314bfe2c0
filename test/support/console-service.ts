import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launch } from './chromium.ts'
import { serve } from './served.ts'
import { freeOffset, type Stack, startStack } from './stack.ts'

export interface ConsoleService {
  readonly stack: Stack
  readonly browser: Browser
  /** The origin of the service. */
  readonly base: string
}

/** A service of its own and a browser, for the tests of a file. @param path of the browser */
export function serviceOfTests(path: string | undefined, dataFolder = 'memory'): () => ConsoleService {
  let stack: Stack
  let browser: Browser
  beforeAll(async () => {
    stack = await startStack({
      PORT_OFFSET: String(await freeOffset()),
      DATA_DIR: dataFolder,
      WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000',
    })
    serve({ http: stack.ready.http, ready: stack.ready, jwtSecret: '' })
    browser = await launch(path ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })
  return () => ({ stack, browser, base: stack.ready.http })
}
