import type { Carrier } from '../deliver/carrier.ts'
import { destinationsOf } from '../deliver/configured/destinations.ts'
import { asTested } from '../deliver/operators/test.ts'
import { memoizeAsync } from '../runtime/cache.ts'
import { loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { carrierOf } from './carriers.ts'
import { makeChanging } from './changing.ts'
import { clock } from './edge.ts'
import { team } from './team.ts'

/** The code of a handler is in its own function alone. */
const ELSEWHERE = (): Carrier => ({
  carry: async () => ({ kind: 'failed', answer: 'a handler is not called for a test: deliver an event to it again' }),
})

/** For operators who test destinations. @throws ConfigError */
export async function makeDestinationTest() {
  const { STAGE } = loadConfig({ STAGE: edgeSettings.STAGE })
  const carriers = destinationsOf(team, STAGE).map((one) => {
    const carrier = one.target.to === 'handler' ? ELSEWHERE : () => carrierOf(asTested(one), STAGE)
    return [one.name, memoizeAsync(async () => carrier())] as const
  })
  return { ...(await makeChanging()), carriers: new Map(carriers), clock, ids: clockIds(clock) }
}
