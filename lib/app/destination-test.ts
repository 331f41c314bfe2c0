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

/** Of what another function alone reaches: the code of a handler, an address in a network. */
function elsewhere(what: string): Carrier {
  return { carry: async () => ({ kind: 'failed', answer: `${what} is not tested: deliver an event to it again` }) }
}

/** For operators who test destinations. @throws ConfigError */
export async function makeDestinationTest() {
  const { STAGE } = loadConfig({ STAGE: edgeSettings.STAGE })
  const carriers = destinationsOf(team, STAGE).map((one) => {
    const closed = one.target.to === 'handler' ? 'a handler' : one.network && 'a destination in a network'
    return [one.name, memoizeAsync(async () => (closed ? elsewhere(closed) : carrierOf(asTested(one), STAGE)))] as const
  })
  return { ...(await makeChanging()), carriers: new Map(carriers), clock, ids: clockIds(clock) }
}
