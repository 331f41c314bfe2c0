import { expect, it } from 'vitest'
import type { PayloadDeletion } from '../../../../lib/webhooks/retention/payloads.ts'
import { deletePayload } from '../../../../lib/webhooks/retention/payloads.ts'
import { recordingAnnouncer } from '../../../support/fakes/announcer.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const EVENT = failedEvent({ status: 'PROCESSED' })
const { source, eventId, eventType } = EVENT

/** What an order led to, in its order. */
async function deleted(state: 'none' | 'open' | 'over', kind: 'deleted' | 'needed' | 'missing', isForced: boolean) {
  const done: unknown[] = []
  const parts = {
    events: { head: async () => EVENT },
    payloads: {
      async deleteOrdered(_event: object, order: object): Promise<PayloadDeletion> {
        done.push(['delete', order])
        return kind === 'missing' ? { kind } : { kind, event: EVENT, isEnded: false }
      },
    },
    deliveries: {
      stateOf: async () => state,
      endAll: async (...given: unknown[]) => done.push(['end', ...given]),
      forgetAnswers: async () => void done.push('answers'),
    },
    announcer: recordingAnnouncer(),
    clock: fixedClock(),
    audit: { decided: (decision: string, about: object) => void done.push([decision, about]) },
  }
  await deletePayload(parts, EVENT, { user: 'ada', isForced }).catch(({ code }) => done.push(code))
  return done
}

const DELETED = (isForced: boolean) => ['delete', { at: START, user: 'ada', isForced }]
const ENDED = ['end', { source, eventId }, START, 'the payload was deleted']
const TOLD = ['payload-deleted', { source, eventId, eventType, user: 'ada' }]

it.each([
  ['is audited, and touches no delivery', 'none', 'deleted', false, [DELETED(false), 'answers', TOLD]],
  ['leaves nothing of the answers to it', 'over', 'deleted', false, [DELETED(false), 'answers', TOLD]],
  ['is refused while a delivery waits', 'open', 'deleted', false, ['EVENT_UNDER_WAY']],
  ['by force ends the deliveries after the payload', 'open', 'deleted', true, [DELETED(true), ENDED, 'answers', TOLD]],
  ['ends no delivery of an event that is needed', 'open', 'needed', true, [DELETED(true), 'EVENT_UNDER_WAY']],
  ['ends no delivery of an event that is missing', 'open', 'missing', true, [DELETED(true), 'EVENT_NOT_FOUND']],
] as const)('the deletion of a payload %s', async (_, state, kind, isForced, done) => {
  expect(await deleted(state, kind, isForced)).toEqual(done)
})
