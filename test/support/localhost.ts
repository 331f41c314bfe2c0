import { afterAll, beforeAll, inject } from 'vitest'
import { type Served, serve } from './served.ts'

/**
 * Turns the tests of a block to the second service, whose `BASE_URL` has the host name `localhost`: browsers keep no passkey
 * for an address, and the providers at 127.0.0.1 are another site. Its first events are those of these tests.
 */
export function atLocalhost(): void {
  beforeAll(async () => {
    const answer = await fetch(`http://127.0.0.1:${inject('otherSitesPort')}/victim`)
    serve((await answer.json()) as Served)
  })
  afterAll(() => serve(undefined))
}
