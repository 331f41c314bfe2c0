import type { KeyGate } from '../auth/keys/gate.ts'
import type { Checks } from '../http/authenticate.ts'
import { memoizeAsync } from '../runtime/memoize-async.ts'
import { makeApi } from './api.ts'

/** For endpoints that machines with an API key read, too. It loads the gate when the first key arrives. */
export async function makeReading() {
  const { checks, ...app } = await makeApi()
  return { ...app, checks: { ...checks, key: keyCheck() } satisfies Checks }
}

function keyCheck(): KeyGate['check'] {
  const open = memoizeAsync(async () => {
    const { openKeyGate } = await import('./key-gate.ts')
    return openKeyGate()
  })
  return async (text) => (await open()).check(text)
}
