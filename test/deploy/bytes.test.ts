import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { METAFILES, type Metafiles } from '../../infra/build.ts'
import { bytesAtStart } from '../support/loaded-at-start.ts'

/** Of one function of each kind; what it loads is most of its cold start. */
const MOST: Readonly<Record<string, number>> = {
  'api/admin-secure': 71_500,
  'webhooks/stripe': 413_900,
  'jobs/retry-event': 438_500,
  'login/passkey': 675_100,
}

it('a function loads few bytes of code when it starts', () => {
  const bundles: Metafiles = JSON.parse(readFileSync(METAFILES, 'utf8'))
  for (const [name, most] of Object.entries(MOST)) {
    const bytes = bytesAtStart(bundles, name)
    expect(bytes, name).toBeGreaterThan(0)
    expect(bytes, name).toBeLessThanOrEqual(most)
  }
})
