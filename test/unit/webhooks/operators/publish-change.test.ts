import { describe, expect, it } from 'vitest'
import { type ChangedEvent, changeIdOf } from '../../../../lib/webhooks/live/change-feed.ts'
import { publishingResets } from '../../../../lib/webhooks/operators/publish-change.ts'
import { START } from '../../../support/fakes/clock.ts'
import { MemoryStore } from '../../../support/fakes/memory-store.ts'
import { memoryOperatorStore } from '../../../support/fakes/operator-store.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

describe('the order of an operator', () => {
  it('is announced exactly when it was written', async () => {
    const store = new MemoryStore()
    const announced: ChangedEvent[] = []
    const publisher = { publishChange: (event: ChangedEvent) => void announced.push(event) }
    const operators = publishingResets(memoryOperatorStore(store), publisher)
    await store.eventStore.insert(failedEvent(), {})
    const order = { at: START, user: 'admin', replayId: 'r-1' }
    expect(await operators.reset({ source: 'test', eventId: 'event-1' }, order)).toMatchObject({ kind: 'reset' })
    expect(announced).toHaveLength(1)
    expect(await operators.reset({ source: 'test', eventId: 'event-1' }, order)).toMatchObject({ kind: 'refused' })
    expect(announced).toMatchObject([
      {
        source: 'test',
        eventId: 'event-1',
        status: 'FAILED',
        changeId: changeIdOf({ source: 'test', eventId: 'event-1' }, START),
      },
    ])
  })
})
