import { type Check, holds, Untried } from './check.ts'
import type { DeployedStage } from './deployed-stage.ts'
import { answeredWith } from './reply.ts'
import { paymentEvent, sendEvent, waitFor } from './webhooks.ts'

/** At one event a second, steps of some 20 seconds. */
const EVENTS = 400

/** Below 100 calls a minute, the default limit of an address; in milliseconds. */
const BETWEEN_EVENTS = 700

/** In milliseconds. A replay whose chain of calls AWS has cut takes longer. */
const PATIENCE = { forAll: 600_000, between: 5000 }

/** More steps than AWS lets a function have in one chain, unless the template allows them. */
export const tryLongReplay: Check = async (stage) => {
  if (!stage.extras.long) throw new Untried(`--long tries it in a quarter of an hour, with ${EVENTS} failing events`)
  const headers = { ...(await stage.admin()), 'content-type': 'application/json' }
  const replayId = stage.newEventId()
  await sendFailing(stage, replayId)
  const filter = { status: 'FAILED', source: 'payment', q: `${replayId}.` }
  const body = JSON.stringify({ replayId, filter, ratePerSecond: 1 })
  answeredWith(202, await stage.call('/api/webhooks/replays', { method: 'POST', headers, body }))
  const milliseconds = await waitFor(stage, PATIENCE, async () => {
    const { json } = answeredWith(200, await stage.call(`/api/webhooks/replays/${replayId}`, { headers }))
    const { state, matched } = Object(json) as { state?: unknown; matched?: unknown }
    const isThere = state === 'DONE'
    holds(!isThere || matched === EVENTS, `ran ${matched} of ${EVENTS} events again`)
    return { isThere, seen: `${matched} of ${EVENTS} events matched, and not DONE` }
  })
  return { seen: `${EVENTS} events at one a second`, figures: { events: EVENTS, replayedInMilliseconds: milliseconds } }
}

/** Payments of one transaction for another order than its own. */
async function sendFailing(stage: DeployedStage, replayId: string): Promise<void> {
  const eventId = stage.newEventId()
  const transactionId = eventId
  answeredWith(200, await sendEvent(stage, paymentEvent(eventId, { transactionId, orderId: 'verify-a' })))
  stage.leave('payment', `${replayId}.1 to .${EVENTS}`)
  const noted = { ...stage, leave: () => {} }
  for (let index = 1; index <= EVENTS; index++) {
    await stage.pause(BETWEEN_EVENTS)
    const failing = paymentEvent(`${replayId}.${index}`, { transactionId, orderId: 'verify-b' })
    answeredWith(500, await sendEvent(noted, failing))
  }
}
