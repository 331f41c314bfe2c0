import fc from 'fast-check'
import { afterAll, vi } from 'vitest'
import { IS_FULL } from './full-runs.ts'

// `npm test` draws the same inputs each time; `npm run quality -- nightly` draws others.
if (!IS_FULL) fc.configureGlobal({ seed: 20_251_126 })

/** Files that share a world hand it on as they found it. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
