import { describe, expect, it } from 'vitest'
import type { EventHead } from '../../../../lib/webhooks/event.ts'
import { deletePayload } from '../../../../lib/webhooks/retention/delete-payload.ts'
import type { DeletionOrder, EventDeliveries, PayloadDeletion } from '../../../../lib/webhooks/retention/payloads.ts'
import { recordingAnnouncer } from '../../../support/fakes/announcer.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

type State = Awaited<ReturnType<EventDeliveries['stateOf']>>

interface World {
  readonly event?: EventHead | undefined
  readonly deliveries?: State
  readonly deletion?: PayloadDeletion['kind']
  /** Whether the event waits for a run. */
  readonly isWaiting?: boolean
}

const EVENT = failedEvent({ status: 'PROCESSED' })

/** An operator's order, and what it led to, in its order. */
function ordering({ event = EVENT, deliveries = 'none', deletion = 'deleted', isWaiting = false }: World = {}) {
  const done: unknown[] = []
  const announcer = recordingAnnouncer()
  const parts = {
    events: { head: async () => event },
    payloads: {
      async deleteOrdered(found: EventHead, order: DeletionOrder): Promise<PayloadDeletion> {
        done.push(['delete', order])
        if (deletion === 'missing') return { kind: deletion }
        return deletion === 'needed'
          ? { kind: deletion, event: found }
          : { kind: deletion, event: found, isEnded: isWaiting }
      },
    },
    deliveries: {
      stateOf: async () => deliveries,
      async endAll(key: object, at: Date, answer: string) {
        done.push(['end deliveries', { ...key, at, answer }])
        return 1
      },
    },
    announcer,
    clock: fixedClock(),
    audit: { decided: (decision: string, about: object) => void done.push([decision, about]) },
  }
  const remove = (isForced: boolean) => deletePayload(parts, EVENT, { user: 'ada', isForced })
  return { done, announcer, remove }
}

const { source, eventId, eventType } = EVENT
const DELETED = (isForced: boolean) => ['delete', { at: START, user: 'ada', isForced }]
const TOLD = ['payload-deleted', { source, eventId, eventType, user: 'ada' }]

describe('the deletion of a payload', () => {
  it.each<State>(['none', 'over'])('names the operator, and touches no delivery when they are: %s', async (state) => {
    const { done, remove } = ordering({ deliveries: state })
    await remove(false)
    expect(done).toEqual([DELETED(false), TOLD])
  })

  it('is refused while a delivery waits or is under way', async () => {
    const { done, remove } = ordering({ deliveries: 'open' })
    await expect(remove(false)).rejects.toMatchObject({ code: 'EVENT_UNDER_WAY' })
    expect(done).toEqual([])
  })

  it.each<State>(['open', 'over'])(
    'by force ends the deliveries that are left, after the payload, with the reason as their answer: %s',
    async (state) => {
      const { done, remove } = ordering({ deliveries: state })
      await remove(true)
      const ending = ['end deliveries', { source, eventId, at: START, answer: 'the payload was deleted' }]
      expect(done).toEqual([DELETED(true), ending, TOLD])
    },
  )

  it.each([
    ['tells who ordered the run for which the event waited', true, 1],
    ['tells nobody of an event that had ended', false, 0],
  ])('%s', async (_, isWaiting, told) => {
    const event = failedEvent({ dead: true, orderedBy: 'id-1' })
    const { announcer, remove } = ordering({ isWaiting, event })
    await remove(true)
    expect(announcer.told).toHaveLength(told)
  })

  it.each<[PayloadDeletion['kind'], string]>([
    ['needed', 'EVENT_UNDER_WAY'],
    ['missing', 'EVENT_NOT_FOUND'],
  ])('ends no delivery of an event that turns out %s', async (deletion, code) => {
    const { done, remove } = ordering({ deletion })
    await expect(remove(true)).rejects.toMatchObject({ code })
    expect(done).toEqual([DELETED(true)])
  })
})
