import { type EventKey, runsOf } from '../../lib/webhooks/event.ts'
import type { MemoryStore } from '../support/fakes/memory-store.ts'
import { POLICY } from '../support/fakes/webhooks.ts'
import { INTAKE_MUTATIONS } from './intake-mutations.ts'
import type { Calling, Mutation, Ports, Sight } from './mutation.ts'

export const MUTATIONS: Readonly<Record<string, Mutation & Sight>> = {
  'no owner condition on finish': {
    without: ['finish: owner'],
    seenIn: 'zombies',
    as: 'a run that was ended by who did not own it',
  },
  'no owner condition on fail': {
    without: ['fail: owner'],
    seenIn: 'storm',
    as: 'a run that was ended by who did not own it',
  },
  'status not in the conditions': {
    without: ['finish, fail, release: status'],
    seenIn: 'outage',
    as: 'two effects of one event',
  },
  'no sweep': { isUnswept: true, seenIn: 'storm', as: 'an event ends FAILED' },
  'a sweep that does not see RECEIVED': {
    without: ['due index: RECEIVED'],
    seenIn: 'storm',
    as: 'an event ends RECEIVED',
  },
  'a sweep that does not see PROCESSING': {
    without: ['due index: PROCESSING'],
    seenIn: 'storm',
    as: 'an event ends PROCESSING',
  },
  'a sweep that does not see RETRY': { without: ['due index: RETRY'], seenIn: 'storm', as: 'an event ends RETRY' },
  'one field for the due time and the sweep': {
    without: ['sweep: a time of its own'],
    seenIn: 'deaf',
    as: 'a run long after it was due',
  },
  'attempts charged at the failure': { without: ['claim: charges the attempt'], as: 'more runs than allowed' },
  'an attempt used up by an outage': {
    without: ['release: gives the attempt back'],
    seenIn: 'outage',
    as: 'an event that nothing stopped is dead',
  },
  'a claim that checks, then acts': {
    without: ['claim: every condition'],
    replace: checkThenAct,
    as: 'more runs than allowed',
  },
  'an effect outside the transaction': {
    without: ['insert: writes the effect'],
    replace: effectOutside,
    seenIn: 'storm',
    as: 'two effects of one event',
  },
  'an unconditional put': { without: ['insert: the event is new'], as: 'two effects of one event' },
  'no intake token': {
    replace: withoutToken,
    as: 'a new acknowledged event was not processed at once',
  },
  'no content behind an unsigned id': { without: ['insert: the content is new'], as: 'two effects of one event' },
  'retries at fixed times, however late the run before was': {
    replace: atFixedTimes,
    seenIn: 'deaf',
    as: 'a retry too close to the run before it',
  },
  ...INTAKE_MUTATIONS,
}

/** Shows in no single world. */
export const UNFENCED: Mutation = { without: ['claim: as many runs as the hint saw'], isUnfenced: true }

function checkThenAct(ports: Ports, store: MemoryStore, call: Calling): Ports {
  const isClaimable = (key: EventKey, n: number, now: Date) => {
    const event = store.find(key)
    if (!event || runsOf(event) !== n || event.attempts >= 3) return false
    if (event.status === 'RECEIVED') return true
    const since = event.status === 'FAILED' ? event.nextRetryAt : event.leaseUntil
    return event.status !== 'PROCESSED' && since !== undefined && since <= now
  }
  return {
    ...ports,
    retries: {
      ...ports.retries,
      claim: async (claim) => {
        const isFree = await call('check', async () => isClaimable(claim, claim.n, claim.now))
        return isFree ? ports.retries.claim(claim) : { kind: 'refused', event: store.find(claim) }
      },
    },
  }
}

function atFixedTimes(ports: Ports): Ports {
  return {
    ...ports,
    retries: {
      ...ports.retries,
      fail: (claim, event, failure) => {
        const delay = POLICY.delays[event.attempts] ?? 0
        const nextRetryAt = failure.nextRetryAt && new Date(event.receivedAt.getTime() + delay)
        return ports.retries.fail(claim, event, { ...failure, nextRetryAt })
      },
    },
  }
}

function effectOutside(ports: Ports, store: MemoryStore, call: Calling): Ports {
  return {
    ...ports,
    events: {
      ...ports.events,
      insert: async (event, effects, beside) => {
        const hasEffect = event.status === 'PROCESSED' && store.find(event) === undefined
        const blocked = hasEffect && (await call('effect', async () => store.apply(event, effects)))
        return blocked || ports.events.insert(event, effects, beside)
      },
    },
  }
}

function withoutToken(ports: Ports): Ports {
  return {
    ...ports,
    events: {
      ...ports.events,
      insert: async (...arguments_) => {
        const insertion = await ports.events.insert(...arguments_)
        return insertion.kind === 'present' ? { ...insertion, event: { ...insertion.event, id: -1n } } : insertion
      },
    },
  }
}
